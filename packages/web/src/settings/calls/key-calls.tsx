import { Link } from '@tanstack/react-router'
import type { CallsOfKey } from '@tidemark/wire/people/call'
import type { ApiKey } from '@tidemark/wire/people/key'
import { KEY_STATE_WORDS } from '@tidemark/wire/people/key-kind'
import { withCommas } from '@tidemark/wire/text/counted'
import { DAY_MS } from '@tidemark/wire/time/units'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { countWords, lastUse, tookWords } from './call-words.ts'

type KeyCallsProps = { projectId: string; keys: readonly ApiKey[]; calls: readonly CallsOfKey[] }

/** Every key that called or still can, most recent caller first. */
export function KeyCalls({ projectId, keys, calls }: KeyCallsProps) {
  const called = calls.map((one) => ({ sums: one, apiKey: keys.find(({ id }) => id === one.keyId) }))
  const silent = keys
    .filter(({ id, state }) => state === 'active' && !calls.some(({ keyId }) => keyId === id))
    .map((apiKey) => ({ sums: undefined, apiKey }))
  return (
    <Table
      label="Calls by key"
      head={['Key', 'Last used', 'Calls in 24 h', 'Calls in 7 days', 'Errors in 7 days', '95 % within']}
    >
      {[...called, ...silent].map(({ sums, apiKey }) => (
        <KeyRow key={apiKey?.id ?? sums?.keyId} projectId={projectId} sums={sums} apiKey={apiKey} />
      ))}
    </Table>
  )
}

type KeyRowProps = { projectId: string; sums: CallsOfKey | undefined; apiKey: ApiKey | undefined }

function KeyRow({ projectId, sums, apiKey }: KeyRowProps) {
  const nowMs = Date.now()
  const p95Ms = sums?.lastWeek.p95Ms ?? null
  const errors = sums?.lastWeek.errors ?? 0
  return (
    <Row isFaded={apiKey?.state !== 'active'}>
      <Cell className="font-medium">
        <span className="inline-flex max-w-full min-w-0 items-center gap-2">
          <Link
            to="/projects/$projectId/settings/$section"
            params={{ projectId, section: 'calls' }}
            search={{ key: sums?.keyId ?? apiKey?.id }}
            className="min-w-0 truncate text-accent hover:underline sm:max-w-52"
          >
            {plainLine(apiKey?.name ?? sums?.keyId ?? '')}
          </Link>
          <span className="font-mono text-small font-normal text-muted">{apiKey && `…${apiKey.lastFour}`}</span>
          {apiKey && apiKey.state !== 'active' && <Badge>{KEY_STATE_WORDS[apiKey.state]}</Badge>}
        </span>
      </Cell>
      <Cell>
        <TimeAgo at={lastUse(apiKey?.lastUsedAt ?? null, sums?.lastCallAt)} />
      </Cell>
      <Cell className="tabular-nums">{sums ? countWords(sums.lastDay.calls, sums, nowMs - DAY_MS) : '0'}</Cell>
      <Cell className="tabular-nums">{sums ? countWords(sums.lastWeek.calls, sums, nowMs - 7 * DAY_MS) : '0'}</Cell>
      <Cell className={errors > 0 ? 'text-bad tabular-nums' : 'text-faint tabular-nums'}>{withCommas(errors)}</Cell>
      <Cell className="tabular-nums">{p95Ms === null ? <span className="text-faint">–</span> : tookWords(p95Ms)}</Cell>
    </Row>
  )
}
