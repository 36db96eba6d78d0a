/** Where records are seen: what the logs page searches for one of them, for a trace, or for all that a query finds. */
import { printValue, quote } from '../query/print.ts'
import { MINUTE_MS } from '../time/units.ts'
import type { LogsSearch, ProjectSearch } from './search.ts'

/** Around one record, in which all of its trace certainly is. */
const AROUND_MS = 15 * MINUTE_MS

/** Without a range a page shows its own, which holds no record that is older. */
export type Within = { from: string; to: string | undefined }

/**
 * From a while before the first to a while after the last. For what is fresh that end is still to come, and stays in the
 * address: what arrives until then is found as well. Pages show such a range until now.
 */
export function around(first: string, last = first): { from: string; to: string } {
  const at = (time: string, movedMs: number) => new Date(Date.parse(time) + movedMs).toISOString()
  return { from: at(first, -AROUND_MS), to: at(last, AROUND_MS) }
}

/** One record, open beside what was logged around it. */
export function recordSearch({ id, timestamp }: { id: string; timestamp: string }) {
  return { ...around(timestamp), record: id }
}

/** A trace, in whatever environments it is: what else was asked for is cleared. */
export function traceSearch(traceId: string, { from, to }: Within): Partial<LogsSearch & ProjectSearch> {
  return {
    from,
    to,
    query: `traceId:${printValue(traceId)}`,
    view: 'trace',
    environment: undefined,
    live: undefined,
    record: undefined,
    pattern: undefined,
  }
}

/** Records that say a text, word for word. */
export function textSearch(text: string): Pick<LogsSearch, 'query'> {
  return { query: quote(text) }
}
