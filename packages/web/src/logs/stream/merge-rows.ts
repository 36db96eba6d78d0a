import type { SearchAnswer } from '@tidemark/wire/reading/search'

export type StreamRow = SearchAnswer['rows'][number]

/**
 * In the order of the service, newest first, each once: a record may come by the search and live. A deploy comes below
 * the records of exactly its time, which happened with it in place; of two deploys of one time the one that was recorded
 * later is above, and ids sort by that.
 */
export function mergeRows(...lists: readonly (readonly StreamRow[])[]): StreamRow[] {
  const seen = new Map<string, StreamRow>()
  for (const row of lists.flat()) if (!seen.has(row.id)) seen.set(row.id, row)
  return [...seen.values()].sort(newestFirst)
}

function newestFirst(one: StreamRow, other: StreamRow): number {
  const [a, b] = [timeKey(one.timestamp), timeKey(other.timestamp)]
  if (a !== b) return a < b ? 1 : -1
  if (one.kind !== other.kind) return one.kind === 'deploy' ? 1 : -1
  return one.id < other.id ? 1 : -1
}

/** Sorts as text to the microsecond, whatever number of digits the time was written with. */
function timeKey(timestamp: string): string {
  const [seconds = '', fraction = ''] = timestamp.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}
