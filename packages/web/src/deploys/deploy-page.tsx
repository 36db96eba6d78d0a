import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { OUTCOME_WORDS } from '@tidemark/wire/deploy-status'
import type { DeployDetailAnswer } from '@tidemark/wire/reading'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import { ExternalLink, Logs, Rows3 } from 'lucide-react'
import type { ReactNode } from 'react'
import { deployQuery } from '../api/deploys.ts'
import { isStatus } from '../api/request.ts'
import { DeployStatus } from '../marks/deploy-status.tsx'
import { ExactTime } from '../marks/exact-time.tsx'
import { plainLine, plainText } from '../text/plain-text.ts'
import { shortSha } from '../text/short-sha.ts'
import { TimeAgo } from '../time/time-ago.tsx'
import { Badge } from '../ui/badge.tsx'
import { buttonClass } from '../ui/button.tsx'
import { CopyBlock, CopyIcon } from '../ui/copy.tsx'
import { Empty } from '../ui/empty.tsx'
import { Problem } from '../ui/problem.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { CommitsOfDeploy } from './commits-of-deploy.tsx'
import { DeployAnalyses } from './deploy-analyses.tsx'

const BEFORE_MS = 15 * MINUTE_MS
const AFTER_MS = 45 * MINUTE_MS

const route = getRouteApi('/signed-in/projects/$projectId/deploys/$deployId')

export function DeployPage() {
  const { projectId, deployId } = route.useParams()
  const { data, error, isPending, refetch } = useQuery(deployQuery(projectId, deployId))
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto flex max-w-[860px] flex-col gap-5 px-4 py-5">
        <Link
          to="/projects/$projectId/deploys"
          params={{ projectId }}
          className="text-small text-accent hover:underline"
        >
          ← All deploys
        </Link>
        {isPending && <SkeletonRows count={6} />}
        {isStatus(error, 404) && (
          <Empty title="There is no such deploy">
            <p>It may belong to another project.</p>
            <Link to="/projects/$projectId/deploys" params={{ projectId }} className={`${buttonClass('primary')} mt-4`}>
              Go to the deploys
            </Link>
          </Empty>
        )}
        {error && !isStatus(error, 404) && <Problem error={error} onRetry={refetch} />}
        {data && <DeployDetail projectId={projectId} {...data} />}
      </div>
    </main>
  )
}

type DetailProps = { projectId: string } & DeployDetailAnswer

function DeployDetail({ projectId, deploy, previousDeploy: previous, commits }: DetailProps) {
  const { sha, environment, deployedAt, status, ref, message, author, externalId, url, metadata } = deploy
  const at = Date.parse(deployedAt)
  const hasSucceeded = status === 'succeeded'
  const around = {
    environment,
    from: new Date(at - BEFORE_MS).toISOString(),
    to: new Date(at + AFTER_MS).toISOString(),
  }
  return (
    <>
      <header className="flex flex-col gap-2">
        <h1 className="flex items-center gap-2 font-mono text-title font-semibold [overflow-wrap:anywhere]">
          {shortSha(sha)}
          <CopyIcon text={sha} label="Copy the whole SHA" />
        </h1>
        <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-small text-muted">
          <DeployStatus status={status} />
          {commits?.step === 'rollback' && <Badge tone="deploy">Rollback</Badge>}
          <Badge>{plainLine(environment)}</Badge>
          <span>
            <ExactTime at={deployedAt} /> · <TimeAgo at={deployedAt} />
          </span>
        </div>
        {message !== null && <Message text={plainText(message)} />}
        {!hasSucceeded && (
          <p className="rounded-control border border-border bg-surface p-3 text-muted">
            This deploy {OUTCOME_WORDS[status]}, so it is not on the timeline of the logs and no errors are attributed
            to it.
          </p>
        )}
        <div className="mt-1 flex flex-wrap gap-2">
          <Link to="/projects/$projectId/logs" params={{ projectId }} search={around} className={buttonClass()}>
            <Logs size={14} aria-hidden="true" />
            Logs around this deploy
          </Link>
          {hasSucceeded && (
            <Link
              to="/projects/$projectId/logs"
              params={{ projectId }}
              search={{ ...around, view: 'patterns', compare: deploy.id }}
              className={buttonClass()}
            >
              <Rows3 size={14} aria-hidden="true" />
              Patterns since this deploy
            </Link>
          )}
          {url !== null && (
            <a href={url} target="_blank" rel="noreferrer noopener" className={buttonClass()}>
              <ExternalLink size={14} aria-hidden="true" />
              CI run
            </a>
          )}
        </div>
      </header>
      {hasSucceeded && <DeployAnalyses projectId={projectId} deploy={deploy} />}
      {commits !== null && <CommitsOfDeploy commits={commits} />}
      <section>
        <h2 className="mb-2 text-large font-semibold">Details</h2>
        <dl className="grid grid-cols-[128px_minmax(0,1fr)] items-baseline gap-x-4 max-sm:grid-cols-[96px_minmax(0,1fr)] rounded-control border border-border bg-surface p-4">
          <Entry name="SHA" mono value={sha} />
          <Entry name="Ref" mono value={ref} />
          <Entry name="Author" value={author} />
          <Entry name="External id" mono value={externalId} />
          <Entry name="CI run" mono value={url} />
          <Entry name="Deploy id" mono value={deploy.id} />
          <Item name="Recorded">
            <ExactTime at={deploy.createdAt} />
          </Item>
          {deploy.updatedAt !== deploy.createdAt && (
            <Item name="Updated">
              <ExactTime at={deploy.updatedAt} />
            </Item>
          )}
          <Item name="Previous deploy">
            {previous === null ? (
              <span className="text-faint">None in {plainLine(environment)}</span>
            ) : (
              <Link
                to="/projects/$projectId/deploys/$deployId"
                params={{ projectId, deployId: previous.id }}
                className="text-deploy hover:underline"
              >
                <span className="font-mono">{shortSha(previous.sha)}</span>,{' '}
                {formatElapsed((at - Date.parse(previous.deployedAt)) / 1_000)} earlier
              </Link>
            )}
          </Item>
        </dl>
      </section>
      {metadata !== null && Object.keys(metadata).length > 0 && (
        <section>
          <h2 className="mb-2 text-large font-semibold">Metadata</h2>
          <CopyBlock text={plainText(JSON.stringify(metadata, null, 2))} label="metadata" />
        </section>
      )}
    </>
  )
}

/** As git reads it: the first line is the subject, the rest says why. */
function Message({ text }: { text: string }) {
  const [subject = '', ...rest] = text.trim().split('\n')
  const body = rest.join('\n').trim()
  return (
    <div className="mt-1 flex flex-col gap-1 [overflow-wrap:anywhere]">
      <p className="text-large font-semibold">{subject}</p>
      {body !== '' && <p className="whitespace-pre-wrap text-muted">{body}</p>}
    </div>
  )
}

function Entry({ name, value, mono = false }: { name: string; value: string | null; mono?: boolean }) {
  if (value === null) return null
  return (
    <Item name={name}>
      <span className={mono ? 'font-mono text-small' : undefined}>{plainLine(value)}</span>
      <CopyIcon text={value} label={`Copy ${name}`} className="-my-1 ml-1 align-middle" />
    </Item>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="py-1 text-muted">{name}</dt>
      <dd className="min-w-0 py-1 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
