type Placed = { kind: 'log' | 'deploy'; id: string; timestamp: string }

/**
 * The order of the service, for rows that come by the search and live. A deploy comes before the records of exactly its
 * time, which happened with it in place; of two deploys of one time the one that was recorded first is the earlier, and ids
 * sort by that.
 */
export function oldestFirst(one: Placed, other: Placed): number {
  const [a, b] = [timeKey(one.timestamp), timeKey(other.timestamp)]
  if (a !== b) return a < b ? -1 : 1
  if (one.kind !== other.kind) return one.kind === 'deploy' ? -1 : 1
  return one.id < other.id ? -1 : 1
}

/** Sorts as text to the microsecond, whatever number of digits the time was written with. */
function timeKey(timestamp: string): string {
  const [seconds = '', fraction = ''] = timestamp.replace(/Z$/, '').split('.')
  return `${seconds}.${fraction.padEnd(9, '0')}`
}
