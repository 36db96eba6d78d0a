import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import type { NearestTerms } from '@tidemark/wire/reading/question'
import { NoRecordsYet } from '../connect/no-records-yet.tsx'
import { plainLine } from '../text/plain-text.ts'
import { presetsOf } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { LogsAddress } from './logs-address.ts'
import { meantField } from './query/meant-field.ts'
import { nearestOf } from './query/mended-query.ts'

type NothingFoundProps = {
  address: LogsAddress
  why: string
  nearest?: readonly NearestTerms[] | undefined
  isNew: boolean
}

/** Why there is nothing, and what to do: the line to run for a new project, a wider search for any other. */
export function NothingFound({ address, why, nearest, isNew }: NothingFoundProps) {
  if (isNew) return <NoRecordsYet projectId={address.projectId} />
  const { query, from } = address.filter
  const meant = query === undefined ? undefined : meantField(query)
  const [title, rest] = inTwo(why)
  const presets = presetsOf(LOGS_DEFAULT_FROM)
  const wider = presets[presets.findIndex((preset) => preset.from === from) + 1]
  return (
    <Empty title={title}>
      {rest !== '' && <p>{rest}</p>}
      {meant !== undefined && (
        <p>
          Put a colon after the name of a field.{' '}
          <button
            type="button"
            onClick={() => address.change({ query: meant })}
            className="text-accent underline [overflow-wrap:anywhere]"
          >
            Search for <code className="font-mono">{plainLine(meant)}</code>
          </button>
        </p>
      )}
      <div className="mt-4 flex flex-wrap justify-center gap-2">
        {nearestOf(query, nearest).map(({ suggestion, query }) => (
          <Button key={query} onClick={() => address.change({ query })}>
            Search for <code className="font-mono">{plainLine(suggestion)}</code>
          </Button>
        ))}
        {query !== undefined && <Button onClick={() => address.change({ query: undefined })}>Clear the query</Button>}
        {address.search.environment !== undefined && (
          <Button onClick={() => address.change({ environment: undefined })}>Look in all environments</Button>
        )}
        {wider && (
          <Button onClick={() => address.change(wider.range)}>{wider.label.replace('Last', 'Look at the last')}</Button>
        )}
      </div>
    </Empty>
  )
}

/** Its first sentence, as a title is written, and the others. A time has no space after its point. */
export function inTwo(why: string): [string, string] {
  const end = why.indexOf('. ')
  return end < 0 ? [why.replace(/\.$/, ''), ''] : [why.slice(0, end), why.slice(end + 2)]
}
