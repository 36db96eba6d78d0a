import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { Deploy } from '@tidemark/wire/deploy'
import { deploysQuery } from '../api/deploys.ts'
import { usePreferences } from '../frame/preferences.ts'
import { plainLine } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { formatMoment } from '../time/format-time.ts'
import { DEPLOYS_DEFAULT_FROM } from '../time/range.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { Empty } from '../ui/empty.tsx'
import { SelectField } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { DeployStatus } from './deploy-status.tsx'

const STATUSES = [
  { value: '', label: 'Every status' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'failed', label: 'Failed' },
  { value: 'cancelled', label: 'Cancelled' },
]

const route = getRouteApi('/signed-in/projects/$projectId/deploys')

export function DeploysPage() {
  const { projectId } = route.useParams()
  const { environment, from, to, status } = route.useSearch()
  const navigate = route.useNavigate()
  const deploys = useInfiniteQuery(
    deploysQuery(projectId, { environment, status, from: from ?? DEPLOYS_DEFAULT_FROM, to }),
  )
  const rows = deploys.data?.pages.flatMap((page) => page.deploys) ?? []
  const empty = deploys.data?.pages[0]?.empty
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[1060px] flex-col gap-4 px-4 py-5">
        <div className="flex items-center gap-3">
          <h1 className="flex-1 text-title font-semibold">Deploys</h1>
          <div className="w-36">
            <SelectField
              label="Status"
              isLabelHidden
              options={STATUSES}
              value={status ?? ''}
              onChange={(event) =>
                navigate({ to: '.', search: (before) => ({ ...before, status: event.target.value || undefined }) })
              }
            />
          </div>
        </div>
        {deploys.isPending && <SkeletonRows className="h-12" />}
        {deploys.error && <Problem error={deploys.error} onRetry={deploys.refetch} />}
        {deploys.isSuccess && rows.length === 0 && (
          <Empty title="No deploys in this range">
            <p>{empty ?? 'Choose a wider range, or another environment or status.'}</p>
            <p className="mt-3">
              <Link
                to="."
                search={(before) => ({ ...before, start: 'open' as const })}
                className="text-accent underline"
              >
                Record deploys from your CI
              </Link>
            </p>
          </Empty>
        )}
        {rows.length > 0 && (
          <ul aria-label="Deploys" className="overflow-hidden rounded-control border border-border bg-surface">
            {rows.map((deploy) => (
              <DeployItem key={deploy.id} projectId={projectId} deploy={deploy} />
            ))}
          </ul>
        )}
        {deploys.hasNextPage && (
          <Button onClick={() => deploys.fetchNextPage()} isBusy={deploys.isFetchingNextPage} className="self-start">
            Show older
          </Button>
        )}
      </div>
    </main>
  )
}

function DeployItem({ projectId, deploy }: { projectId: string; deploy: Deploy }) {
  const { zone } = usePreferences()
  const { id, sha, environment, deployedAt, status, ref, message, author } = deploy
  const hasSucceeded = status === 'succeeded'
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/deploys/$deployId"
        params={{ projectId, deployId: id }}
        className={classNames(
          'flex flex-wrap items-center gap-x-3 gap-y-1 border-l-2 px-3 py-2 hover:bg-hover',
          hasSucceeded ? 'border-l-deploy' : 'border-l-transparent text-faint',
        )}
      >
        <span className="w-24 shrink-0">
          <DeployStatus status={status} />
        </span>
        <span className={classNames('shrink-0 font-mono text-small font-medium', hasSucceeded && 'text-deploy')}>
          {shortSha(sha)}
        </span>
        <span className="order-last min-w-0 flex-1 basis-full truncate sm:order-none sm:basis-0">
          {message === null ? <span className="text-faint">No message</span> : plainLine(message.split('\n')[0] ?? '')}
        </span>
        <span className="flex max-w-72 min-w-0 items-center gap-2 text-small text-muted">
          {ref !== null && <span className="truncate font-mono">{plainLine(ref)}</span>}
          {author !== null && <span className="truncate">by {plainLine(author)}</span>}
        </span>
        <Badge>{plainLine(environment)}</Badge>
        <span className="shrink-0 text-small sm:w-44 sm:text-right text-muted tabular-nums">
          {formatMoment(deployedAt, zone).slice(0, -4)} · <TimeAgo at={deployedAt} />
        </span>
      </Link>
    </li>
  )
}
