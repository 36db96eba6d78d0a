import { useInfiniteQuery } from '@tanstack/react-query'
import type { SettingsSearch } from '@tidemark/wire/dashboard/search'
import type { Call } from '@tidemark/wire/people/call'
import type { ApiKey } from '@tidemark/wire/people/key'
import { withCommas } from '@tidemark/wire/text/counted'
import { callsQuery } from '../../api/calls.ts'
import { formatBytes } from '../../text/format-bytes.ts'
import { plainLine } from '../../text/plain-text.ts'
import { shortCount } from '../../text/short-count.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { ShowMore } from '../show-more.tsx'
import { errorWords, kindOf, tookWords } from './call-words.ts'

type CallListProps = {
  projectId: string
  search: SettingsSearch
  keys: readonly ApiKey[]
  onShowAll: () => void
}

export function CallList({ projectId, search: { key, call, errors }, keys, onShowAll }: CallListProps) {
  const filter = { ...(key && { keyId: key }), ...(call && { name: call }), ...(errors && { errors }) }
  const found = useInfiniteQuery(callsQuery(projectId, filter))
  const { data, error, isPending, refetch } = found
  if (isPending) return <SkeletonRows className="h-9" />
  if (error) return <Problem error={error} onRetry={refetch} />
  const calls = data.pages.flatMap((page) => page.calls)
  if (calls.length === 0) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-control border border-border bg-surface p-4 text-muted">
        <p>No calls match this filter.</p>
        <Button onClick={onShowAll}>Show all calls</Button>
      </div>
    )
  }
  const nameOf = (keyId: string) => plainLine(keys.find(({ id }) => id === keyId)?.name ?? keyId)
  return (
    <>
      <Table label="List of calls" head={['When', 'Key', 'Call', 'Rows', 'Answer', 'Took', 'Result']}>
        {calls.map((one) => (
          <CallRow key={one.id} call={one} keyName={nameOf(one.keyId)} />
        ))}
      </Table>
      <ShowMore of={found} label="Show older" />
    </>
  )
}

function CallRow({ call, keyName }: { call: Call; keyName: string }) {
  return (
    <Row>
      <Cell>
        <TimeAgo at={call.at} />
      </Cell>
      <Cell className="sm:max-w-28 sm:truncate">{keyName}</Cell>
      <Cell>
        <Called call={call} />
      </Cell>
      <Cell className="tabular-nums">
        {call.rows === null ? <span className="text-faint">–</span> : withCommas(call.rows)}
      </Cell>
      <Cell className="tabular-nums">
        <Answer call={call} />
      </Cell>
      <Cell className="tabular-nums">{tookWords(call.durationMs)}</Cell>
      <Cell>
        <Result error={call.error} />
      </Cell>
    </Row>
  )
}

function Called({ call }: { call: Call }) {
  const kind = kindOf(call)
  return (
    <span className="flex min-w-0 flex-col sm:max-w-64">
      <span className="flex min-w-0 flex-wrap items-baseline gap-x-2 sm:flex-nowrap">
        {call.name === null ? (
          <span className="text-faint">unknown {kind}</span>
        ) : (
          <code
            className="min-w-0 font-mono text-small [overflow-wrap:anywhere] sm:truncate"
            title={plainLine(call.name)}
          >
            {plainLine(call.name)}
          </code>
        )}
        {call.name !== null && kind !== 'tool' && <span className="shrink-0 text-small text-muted">{kind}</span>}
      </span>
      {call.arguments.length > 0 && (
        <span
          className="text-small text-muted [overflow-wrap:anywhere] sm:truncate"
          title={call.arguments.map(plainLine).join(', ')}
        >
          {call.arguments.map(plainLine).join(', ')}
        </span>
      )}
    </span>
  )
}

function Answer({ call: { bytes, tokens } }: { call: Call }) {
  if (bytes === 0) return <span className="text-faint">None</span>
  return (
    <>
      {formatBytes(bytes)} <span className="text-small text-muted">{shortCount(tokens)} tokens</span>
    </>
  )
}

function Result({ error }: { error: string | null }) {
  if (error === null) return <span className="text-muted">OK</span>
  return <Badge tone={error === 'cancelled' ? 'neutral' : 'bad'}>{plainLine(errorWords(error))}</Badge>
}
