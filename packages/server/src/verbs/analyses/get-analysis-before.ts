/** What was logged just before a record: on its trace, else on its host, else in its environment. */
import { allOf, type Expression } from '@tidemark/wire/query/ast'
import type { CoreField } from '@tidemark/wire/query/fields'
import type { ProjectLogs, StoredRecord } from '../../logstore/log-store.ts'

const RECORDS = 10
/** Records further back explain nothing, and looking for them takes long. */
const REACH_US = 3_600_000_000

export type RecordsBefore = { by: 'trace' | 'host' | 'time'; records: StoredRecord[] }

/** Oldest first. A trace that holds nothing before it says less than the host does, so that is tried next. */
export async function recordsBefore(
  logs: Pick<ProjectLogs, 'search'>,
  record: StoredRecord,
  signal: AbortSignal | undefined,
): Promise<RecordsBefore> {
  for (const { by, root } of waysOf(record)) {
    const range = { fromUs: Math.max(0, record.timeUs - REACH_US), toUs: record.timeUs + 1 }
    const search = { range, filter: { root }, order: 'newest', limit: RECORDS, after: record.id, signal } as const
    const { records } = await logs.search(search)
    if (records.length > 0 || by === 'time') return { by, records: records.reverse() }
  }
  return { by: 'time', records: [] }
}

function waysOf({ traceId, host, environment }: StoredRecord): { by: RecordsBefore['by']; root: Expression | null }[] {
  const here = equals('environment', environment)
  return [
    ...(traceId === '' ? [] : [{ by: 'trace' as const, root: equals('traceId', traceId) }]),
    ...(host === '' ? [] : [{ by: 'host' as const, root: allOf([here, equals('host', host)]) }]),
    { by: 'time' as const, root: here },
  ]
}

function equals(name: CoreField, value: string): Expression {
  const match = { kind: 'literal', value, quoted: true } as const
  return { kind: 'field', field: { kind: 'core', name }, match, span: { from: 0, to: 0 } }
}
