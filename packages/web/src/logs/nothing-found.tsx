import { useQuery } from '@tanstack/react-query'
import { firstSignsQuery } from '../api/projects.ts'
import { PRESETS } from '../time/range.ts'
import { Light } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { CopyBlock } from '../ui/copy.tsx'
import { Empty } from '../ui/empty.tsx'
import type { LogsAddress } from './logs-address.ts'

type NothingFoundProps = { address: LogsAddress; why: string; isNew: boolean }

/** Why there is nothing, and what to do: the line to run for a new project, a wider search for any other. */
export function NothingFound({ address, why, isNew }: NothingFoundProps) {
  if (isNew) return <NoRecordsYet address={address} />
  const { query, from } = address.filter
  const wider = PRESETS[PRESETS.findIndex((preset) => preset.from === from) + 1]
  return (
    <Empty title="No records here">
      <p>{why}</p>
      <div className="mt-4 flex justify-center gap-2">
        {query !== undefined && <Button onClick={() => address.change({ query: undefined })}>Clear the query</Button>}
        {address.search.environment !== undefined && (
          <Button onClick={() => address.change({ environment: undefined })}>Look in all environments</Button>
        )}
        {wider && (
          <Button onClick={() => address.change({ from: wider.from, to: undefined })}>
            {wider.label.replace('Last', 'Look at the last')}
          </Button>
        )}
      </div>
    </Empty>
  )
}

function NoRecordsYet({ address }: { address: LogsAddress }) {
  const { data: signs } = useQuery(firstSignsQuery(address.projectId))
  const command = [
    `curl -sS ${location.origin}/v1/logs`,
    `-H "Authorization: Bearer $TIDEMARK_INGEST_KEY"`,
    `-H 'Content-Type: application/json'`,
    `-d '{"message":"hello","level":"info"}'`,
  ].join(' \\\n  ')
  return (
    <Empty title="No records yet">
      <p className="mb-3">Send the first one with an ingest key of this project:</p>
      <div className="text-left">
        <CopyBlock text={command} label="command" />
      </div>
      <div className="mt-3 flex items-center justify-between gap-3">
        <Light isOn={signs?.record ?? false}>
          {signs?.record ? 'First record arrived' : 'Waiting for the first record'}
        </Light>
        <Button onClick={() => address.change({ start: 'open' })}>More ways to connect</Button>
      </div>
    </Empty>
  )
}
