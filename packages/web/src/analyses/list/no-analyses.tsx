import { useQuery } from '@tanstack/react-query'
import { ANALYSES_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { projectQuery } from '../../api/projects.ts'
import { NoRecordsYet } from '../../connect/no-records-yet.tsx'
import { STATE_LOOK } from '../../marks/analysis-state.tsx'
import { presetsOf } from '../../time/range.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'
import type { AnalysesAddress } from './analyses-address.ts'
import { AnalysesPlaceholder } from './analyses-placeholder.tsx'

const AN_ERROR = {
  level: 'error',
  message: 'checkout failed',
  error: { type: 'TypeError', message: 'total is undefined' },
}
const ABOUT_ERRORS =
  'An analysis begins with an error: a record of level error or fatal, or one with an exception. Send one with an ingest key of this project:'

/** Why there is nothing, and what to do: the line to run for a new project, a wider search for any other. */
export function NoAnalyses({ address, why }: { address: AnalysesAddress; why: string | null }) {
  const { data: project, isPending } = useQuery(projectQuery(address.projectId))
  // Otherwise a new project would first say that nothing is broken.
  if (isPending) return <AnalysesPlaceholder />
  if (project?.lastLogAt === null) {
    return <NoRecordsYet projectId={address.projectId} record={AN_ERROR} about={ABOUT_ERRORS} />
  }
  return <NothingHere address={address} why={why} />
}

function NothingHere({ address, why }: { address: AnalysesAddress; why: string | null }) {
  const { search, state, change } = address
  const isNarrowed = search.query !== undefined || search.service !== undefined || search.introducedBy !== undefined
  const presets = presetsOf(ANALYSES_DEFAULT_FROM)
  const at = presets.findIndex((preset) => preset.from === (search.from ?? ANALYSES_DEFAULT_FROM))
  const wider = search.to === undefined ? presets[at + 1] : undefined
  return (
    <Empty
      title={
        isNarrowed ? 'No analysis matches' : `No ${state ? STATE_LOOK[state].word.toLowerCase() : 'open'} analyses`
      }
    >
      <p>
        {why ?? 'Errors that arrive are brought together here within seconds, with the deploy that came before them.'}
      </p>
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {isNarrowed && (
          <Button onClick={() => change({ query: undefined, service: undefined, introducedBy: undefined })}>
            Clear the search
          </Button>
        )}
        {state !== undefined && <Button onClick={() => change({ state: undefined })}>Show all open</Button>}
        {search.environment !== undefined && (
          <Button onClick={() => change({ environment: undefined })}>Look in all environments</Button>
        )}
        {wider && (
          <Button onClick={() => change(wider.range)}>{wider.label.replace('Last', 'Look at the last')}</Button>
        )}
      </div>
    </Empty>
  )
}
