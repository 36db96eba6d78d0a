import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { DEPLOYS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { deploysQuery } from '../../api/deploys.ts'
import { STATUS_LOOK } from '../../marks/deploy-status.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames, dimmed } from '../../ui/class-names.ts'
import { SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Warnings } from '../warnings.tsx'
import { DeployRow } from './deploy-row.tsx'
import { DeploysPlaceholder } from './deploys-placeholder.tsx'
import { NoDeploys } from './no-deploys.tsx'

const STATUSES = [
  { value: '', label: 'All statuses' },
  ...Object.entries(STATUS_LOOK).map(([value, { word }]) => ({ value, label: word })),
]

const route = getRouteApi('/signed-in/projects/$projectId/deploys')

export function DeploysPage() {
  const { projectId } = route.useParams()
  const { environment, from, to, status } = route.useSearch()
  const navigate = route.useNavigate()
  const filter = { environment, status, from: from ?? DEPLOYS_DEFAULT_FROM, to }
  const deploys = useInfiniteQuery(deploysQuery(projectId, filter))
  const rows = deploys.data?.pages.flatMap((page) => page.deploys) ?? []
  const isAwaited = deploys.isPending || (deploys.isPlaceholderData && rows.length === 0)
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex max-w-[1400px] flex-col gap-4 px-4 py-5 2xl:px-6">
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
        {isAwaited && <DeploysPlaceholder />}
        {deploys.error && <Problem error={deploys.error} onRetry={deploys.refetch} />}
        <Warnings
          warnings={deploys.data?.pages[0]?.warnings ?? []}
          isBusy={deploys.isFetching}
          onAgain={deploys.refetch}
        />
        {deploys.isSuccess && !isAwaited && rows.length === 0 && (
          <NoDeploys projectId={projectId} why={deploys.data.pages[0]?.empty ?? null} />
        )}
        {rows.length > 0 && (
          <ul
            aria-label="Deploys"
            aria-busy={deploys.isPlaceholderData}
            className={classNames(
              'overflow-hidden rounded-control border border-border bg-surface',
              dimmed(deploys.isPlaceholderData),
            )}
          >
            {rows.map((deploy) => (
              <DeployRow key={deploy.id} projectId={projectId} deploy={deploy} />
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
