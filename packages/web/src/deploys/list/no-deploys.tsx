import { useQuery } from '@tanstack/react-query'
import { ON_LINES, recordDeployCommand } from '@tidemark/wire/shell-commands'
import { projectQuery } from '../../api/projects.ts'
import { LineToRun } from '../../connect/line-to-run.tsx'
import { ReachWarning } from '../../connect/reach-warning.tsx'
import { IngestKeyLink, StartLink } from '../../connect/setup-links.tsx'
import { useAddresses } from '../../connect/use-addresses.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Empty } from '../../ui/empty.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'

/** Why there is nothing, and what to do: the line to run where none was ever recorded, a wider search anywhere else. */
export function NoDeploys({ projectId, why }: { projectId: string; why: string | null }) {
  const { data: project, isPending } = useQuery(projectQuery(projectId))
  if (isPending) return <SkeletonRows count={3} />
  if (project?.lastDeploy === null) return <NoneRecordedYet projectId={projectId} />
  return (
    <Empty title="No deploys in this range">
      <p>{why === null ? 'Choose a wider range, or another environment or status.' : plainLine(why)}</p>
    </Empty>
  )
}

function NoneRecordedYet({ projectId }: { projectId: string }) {
  const { ingest } = useAddresses()
  return (
    <LineToRun
      title="No deploys yet"
      about={
        <>
          Once deploys are recorded, every error shows the deploy before it. Run <Code>tidemark deploy</Code> in your
          CI, or send it to <Code>/v1/deploys</Code> with an ingest key of this project:
        </>
      }
      command={recordDeployCommand(ingest).join(ON_LINES)}
    >
      <ReachWarning address={ingest} />
      <div className="flex flex-wrap gap-2">
        <IngestKeyLink projectId={projectId} />
        <StartLink>Record deploys from your CI</StartLink>
      </div>
    </LineToRun>
  )
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-small whitespace-nowrap text-text">{children}</code>
}
