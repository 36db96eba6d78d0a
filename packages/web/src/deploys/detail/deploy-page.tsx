/** One deploy: whether it did harm, then the proof, then what it was. */
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import type { DeployDetailAnswer } from '@tidemark/wire/reading/deploys'
import { RefreshCw } from 'lucide-react'
import { deployQuery } from '../../api/deploys.ts'
import { projectQuery } from '../../api/projects.ts'
import { isStatus } from '../../api/request.ts'
import { plainLine } from '../../text/plain-text.ts'
import { buttonClass, IconButton } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Warnings } from '../warnings.tsx'
import { BeforeAndAfter } from './before-and-after.tsx'
import { CommitsOfDeploy, NoRepository } from './commits-of-deploy.tsx'
import { DeployAnalyses } from './deploy-analyses.tsx'
import { DeployDetails } from './deploy-details.tsx'
import { DeployHeader } from './deploy-header.tsx'
import { DeployPatterns } from './deploy-patterns.tsx'
import { VerdictCard } from './verdict-card.tsx'

const route = getRouteApi('/signed-in/projects/$projectId/deploys/$deployId')

export function DeployPage() {
  const { projectId, deployId } = route.useParams()
  const { data, error, isPending, isFetching, dataUpdatedAt, refetch } = useQuery(deployQuery(projectId, deployId))
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex max-w-[1400px] flex-col gap-6 px-4 py-5 2xl:px-6">
        <div className="-mb-3 flex items-center justify-between">
          <Link
            to="/projects/$projectId/deploys"
            params={{ projectId }}
            className="text-small text-accent hover:underline"
          >
            ← All deploys
          </Link>
          <IconButton label="Refresh" onClick={() => refetch()} disabled={isFetching}>
            <RefreshCw size={14} aria-hidden="true" />
          </IconButton>
        </div>
        {!data && <h1 className="sr-only">Deploy</h1>}
        {isPending && <Placeholder />}
        {isStatus(error, 404) && (
          <Empty title="There is no such deploy">
            <p>It may belong to another project.</p>
            <Link to="/projects/$projectId/deploys" params={{ projectId }} className={`${buttonClass('primary')} mt-4`}>
              Go to the deploys
            </Link>
          </Empty>
        )}
        {error && !isStatus(error, 404) && <Problem error={error} onRetry={refetch} />}
        {data && (
          <Detail
            key={deployId}
            projectId={projectId}
            answer={data}
            answeredMs={dataUpdatedAt}
            isBusy={isFetching}
            onAgain={refetch}
          />
        )}
      </div>
    </main>
  )
}

type DetailProps = {
  projectId: string
  answer: DeployDetailAnswer
  answeredMs: number
  isBusy: boolean
  onAgain: () => void
}

function Detail({ projectId, answer, answeredMs, isBusy, onAgain }: DetailProps) {
  const { deploy, previousDeploy, verdict, windows, commits, warnings } = answer
  const isLive = verdict !== null
  const { data: project } = useQuery(projectQuery(projectId))
  const commit = {
    author: deploy.author ?? commits?.commits.find(({ sha }) => sha === deploy.sha)?.author ?? null,
    repositoryUrl: project?.repository?.url ?? null,
  }
  return (
    <>
      <DeployHeader
        projectId={projectId}
        deploy={deploy}
        after={answer.after}
        isRollback={answer.isRollback}
        {...commit}
      />
      <Warnings warnings={warnings} isBusy={isBusy} onAgain={onAgain} />
      <VerdictCard answer={answer} />
      {isLive && (
        <>
          <BeforeAndAfter
            windows={windows}
            environment={plainLine(deploy.environment)}
            answeredMs={answeredMs}
            isAwaited={answer.checkAgainAt !== null}
          />
          <DeployAnalyses projectId={projectId} deploy={deploy} lists={answer} />
          <DeployPatterns projectId={projectId} answer={answer} />
        </>
      )}
      {commits === null ? (
        <NoRepository projectId={projectId} />
      ) : (
        <CommitsOfDeploy commits={commits} isRollback={answer.isRollback} />
      )}
      <DeployDetails projectId={projectId} deploy={deploy} previous={previousDeploy} {...commit} />
    </>
  )
}

function Placeholder() {
  return (
    <div className="flex flex-col gap-6" role="status" aria-label="Loading">
      <div className="flex flex-col gap-2">
        <Skeleton className="h-7 w-32" />
        <Skeleton className="h-5 w-72 max-w-full" />
        <Skeleton className="h-5 w-96 max-w-full" />
      </div>
      <Skeleton className="h-32" />
      <Skeleton className="h-36" />
      <Skeleton className="h-24" />
    </div>
  )
}
