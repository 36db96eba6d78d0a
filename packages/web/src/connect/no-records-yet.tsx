import { useQuery } from '@tanstack/react-query'
import { A_RECORD, ON_LINES, sendCommand } from '@tidemark/wire/shell-commands'
import { firstArrivalsQuery } from '../api/projects.ts'
import { Light } from '../ui/badge.tsx'
import { LineToRun } from './line-to-run.tsx'
import { IngestKeyLink, StartLink } from './setup-links.tsx'
import { useAddresses } from './use-addresses.ts'

/** Its line is seen whole. */
const SHORT_RECORD = { message: A_RECORD.message, level: A_RECORD.level }

type NoRecordsYetProps = {
  projectId: string
  /** What the line sends, and why that. */
  record?: object
  about?: string
}

/** A project that nothing was sent to: the line to run, and a light that says when the first record has come. */
export function NoRecordsYet({
  projectId,
  record = SHORT_RECORD,
  about = 'Send the first one with an ingest key of this project:',
}: NoRecordsYetProps) {
  const { ingest } = useAddresses()
  const { data: arrivals } = useQuery(firstArrivalsQuery(projectId))
  return (
    <LineToRun title="No records yet" about={about} command={sendCommand(ingest, record).join(ON_LINES)}>
      <Light isOn={arrivals?.record ?? false}>
        {arrivals?.record ? 'First record arrived' : 'Waiting for the first record'}
      </Light>
      <div className="flex flex-wrap gap-2">
        <IngestKeyLink projectId={projectId} />
        <StartLink>More ways to connect</StartLink>
      </div>
    </LineToRun>
  )
}
