import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { AnalysisItem } from '@tidemark/wire/analysis'
import type { CauseKind, LikelyCause } from '@tidemark/wire/cause'
import { counted } from '@tidemark/wire/counted'
import type { Deploy } from '@tidemark/wire/deploy'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { analysesQuery } from '../api/analyses.ts'
import { StateMark } from '../marks/analysis-state.tsx'
import { plainLine } from '../text/plain-text.ts'
import { Problem } from '../ui/problem.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'

const SHOWN = 10

/** What began while it ran, each with whether it is the cause. */
export function DeployAnalyses({ projectId, deploy }: { projectId: string; deploy: Deploy }) {
  const { id, environment, deployedAt } = deploy
  const found = useInfiniteQuery(analysesQuery(projectId, { environment, from: deployedAt, introducedBy: id }))
  const rows = found.data?.pages[0]?.analyses ?? []
  const hasMore = rows.length > SHOWN || found.hasNextPage
  return (
    <section aria-label="Introduced analyses">
      <h2 className="mb-2 text-large font-semibold">Analyses that began while it ran</h2>
      {found.isPending && <SkeletonRows count={2} className="h-9" />}
      {found.error && <Problem error={found.error} onRetry={found.refetch} />}
      {found.isSuccess && rows.length === 0 && (
        <p className="rounded-control border border-border bg-surface p-4 text-muted">
          No analysis began while this deploy ran.
        </p>
      )}
      {rows.length > 0 && (
        <ul className="overflow-hidden rounded-control border border-border bg-surface">
          {rows.slice(0, SHOWN).map((analysis) => (
            <Introduced key={analysis.id} projectId={projectId} deployId={id} analysis={analysis} />
          ))}
        </ul>
      )}
      {hasMore && (
        <Link
          to="/projects/$projectId/analyses"
          params={{ projectId }}
          search={{ environment, from: deployedAt, to: undefined, introducedBy: id }}
          className="mt-2 inline-block text-small text-accent hover:underline"
        >
          Show all of them
        </Link>
      )}
    </section>
  )
}

const WHAT: Record<CauseKind, string> = {
  deploy: 'another deploy',
  commit: 'a commit',
  configuration: 'configuration',
  dependency: 'a dependency',
  environment: 'the environment',
  data: 'data',
  load: 'load',
  unknown: '',
}

/** `Likely this deploy`, `Perhaps a dependency`: that it began then does not make the deploy its cause. */
export function causeWords({ kind, deployId, confidence }: LikelyCause, ownDeployId: string): string {
  if (kind === 'unknown') return 'Cause unknown'
  const what = deployId === ownDeployId ? 'this deploy' : WHAT[kind]
  return `${confidence === 'low' ? 'Perhaps' : 'Likely'} ${what}`
}

type IntroducedProps = { projectId: string; deployId: string; analysis: AnalysisItem }

function Introduced({ projectId, deployId, analysis }: IntroducedProps) {
  const { id, state, title, count, correlatedDeploy, likelyCause } = analysis
  return (
    <li className="border-b border-border last:border-0">
      <Link
        to="/projects/$projectId/analyses/$analysisId"
        params={{ projectId, analysisId: id }}
        className="flex min-h-9 flex-wrap items-baseline gap-x-3 gap-y-0.5 px-3 py-2 hover:bg-hover"
      >
        <span className="flex shrink-0 items-baseline sm:w-24">
          <StateMark state={state} />
        </span>
        <span className="order-last min-w-0 flex-1 basis-full font-mono text-small font-medium [overflow-wrap:anywhere] max-sm:line-clamp-2 sm:order-none sm:basis-0 sm:truncate">
          {plainLine(title)}
        </span>
        <span className="text-small text-muted sm:w-36">{causeWords(likelyCause, deployId)}</span>
        <span className="text-small text-deploy tabular-nums max-sm:empty:hidden sm:w-32 sm:text-right">
          {correlatedDeploy !== null && `${formatElapsed(correlatedDeploy.elapsedSeconds)} after it`}
        </span>
        <span className="text-right text-small text-muted tabular-nums sm:w-24">{counted(count, 'error')}</span>
      </Link>
    </li>
  )
}
