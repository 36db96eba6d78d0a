/** One analysis: a sentence, the cause, the failing line, suspect commits, then the evidence. Each fact is shown once. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router'
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import { RefreshCw } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { analysisQuery } from '../../api/analyses.ts'
import { isStatus } from '../../api/request.ts'
import { useRole } from '../../api/roles.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { CauseCard, hasCauseCard } from '../cause/cause-card.tsx'
import { DeployCard } from '../cause/deploy-card.tsx'
import { FailedDeploys } from '../cause/failed-deploys.tsx'
import { NoDeploy } from '../cause/no-deploy.tsx'
import { Suspects } from '../cause/suspects.tsx'
import { Episodes } from '../occurrences/episodes.tsx'
import { Occurrences } from '../occurrences/occurrences.tsx'
import { Comments } from '../people/comments.tsx'
import { Affected } from '../records/affected.tsx'
import { Grouping } from '../records/grouping.tsx'
import { RecordsBefore, Samples } from '../records/sample-lines.tsx'
import { Stack } from '../records/stack.tsx'
import { Standouts } from '../records/standouts.tsx'
import { AnalysisHeader } from './analysis-header.tsx'
import { Summary, Unread } from './summary.tsx'

const SamplePanel = lazy(() =>
  import('../records/sample-panel.tsx').then((module) => ({ default: module.SamplePanel })),
)

const route = getRouteApi('/signed-in/projects/$projectId/analyses/$analysisId')

export function AnalysisPage() {
  const { projectId, analysisId } = route.useParams()
  const { record } = route.useSearch()
  const navigate = useNavigate()
  const navigateHere = route.useNavigate()
  const { data, error, isPending, isFetching, refetch } = useQuery(analysisQuery(projectId, analysisId))
  const closeRecord = () => navigateHere({ search: (before) => ({ ...before, record: undefined }), resetScroll: false })
  const leave = () => navigate({ to: '/projects/$projectId/analyses', params: { projectId } })
  useShortcuts({ escape: record === undefined ? leave : closeRecord })
  return (
    <div className="relative flex min-h-0 flex-1">
      <main className="min-h-0 min-w-0 flex-1 overflow-y-auto">
        <div className="flex max-w-[1400px] flex-col gap-6 px-4 py-5 2xl:px-6">
          <div className="-mb-3 flex items-center justify-between">
            <Link
              to="/projects/$projectId/analyses"
              params={{ projectId }}
              className="text-small text-accent hover:underline"
            >
              ← All analyses
            </Link>
            <IconButton label="Refresh" onClick={() => refetch()} disabled={isFetching}>
              <RefreshCw size={14} aria-hidden="true" />
            </IconButton>
          </div>
          {!data && <h1 className="sr-only">Analysis</h1>}
          {isPending && <Placeholder />}
          {isStatus(error, 404) && (
            <Empty title="There is no such analysis">
              <p>It may belong to another project, or have been merged into another one: look in the list.</p>
              <Link
                to="/projects/$projectId/analyses"
                params={{ projectId }}
                className={`${buttonClass('primary')} mt-4`}
              >
                Go to the analyses
              </Link>
            </Empty>
          )}
          {error && !isStatus(error, 404) && <Problem error={error} onRetry={refetch} />}
          {data && (
            <Detail
              key={analysisId}
              projectId={projectId}
              analysis={data.analysis}
              url={data.url}
              isBusy={isFetching}
              onAgain={refetch}
            />
          )}
        </div>
      </main>
      {data && record !== undefined && (
        <Suspense>
          <SamplePanel projectId={projectId} analysis={data.analysis} recordId={record} onClose={closeRecord} />
        </Suspense>
      )}
    </div>
  )
}

type DetailProps = { projectId: string; analysis: AnalysisDetail; url: string; isBusy: boolean; onAgain: () => void }

function Detail({ projectId, analysis, url, isBusy, onAgain }: DetailProps) {
  const role = useRole(projectId)
  return (
    <>
      <AnalysisHeader projectId={projectId} analysis={analysis} url={url} />
      <div className="flex flex-col gap-3">
        <Unread analysis={analysis} isBusy={isBusy} onAgain={onAgain} />
        <Summary projectId={projectId} analysis={analysis} />
        {hasCauseCard(analysis) && <CauseCard projectId={projectId} analysis={analysis} />}
      </div>
      <Stack projectId={projectId} analysis={analysis} />
      <Suspects projectId={projectId} analysis={analysis} />
      <Standouts projectId={projectId} analysis={analysis} />
      <Occurrences projectId={projectId} analysis={analysis} />
      <DeployBeside projectId={projectId} analysis={analysis} />
      <FailedDeploys projectId={projectId} analysis={analysis} />
      <Comments projectId={projectId} analysis={analysis} role={role} />
      <Affected projectId={projectId} analysis={analysis} />
      <Samples projectId={projectId} analysis={analysis} />
      <RecordsBefore projectId={projectId} analysis={analysis} />
      <Episodes analysis={analysis} />
      <Grouping analysis={analysis} />
    </>
  )
}

/** What ran when it began. If that is the cause, the card of the cause already shows it. */
function DeployBeside({ projectId, analysis }: { projectId: string; analysis: AnalysisDetail }) {
  const deploy = analysis.correlatedDeploy
  if (deploy === null) return <NoDeploy projectId={projectId} analysis={analysis} />
  if (isCorrelatedCause(analysis)) return null
  return <DeployCard projectId={projectId} analysis={analysis} deploy={deploy} />
}

/** In the sizes of the content to come. */
function Placeholder() {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-6">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-7 w-3/4" />
        <Skeleton className="h-5 w-1/2" />
      </div>
      <Skeleton className="h-44" />
      <Skeleton className="h-16" />
      <Skeleton className="h-40" />
      <Skeleton className="h-52" />
    </div>
  )
}
