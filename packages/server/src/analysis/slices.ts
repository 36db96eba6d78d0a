/** Counts of records in slices of time that follow each other. */

/** Oldest first, without gaps. */
export type Slice = { fromUs: number; toUs: number; count: number }
/** What is looked for lies in the window; the slices also hold what was before it, and a little of what came after. */
export type Looked = { slices: readonly Slice[]; fromUs: number; atUs: number }

export function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}

/** Of a slice that is only partly inside, its part. */
export function countWithin(slices: readonly Slice[], fromUs: number, toUs: number): number {
  return slices.reduce((sum, slice) => {
    const insideUs = Math.min(toUs, slice.toUs) - Math.max(fromUs, slice.fromUs)
    return insideUs <= 0 ? sum : sum + (slice.count * insideUs) / (slice.toUs - slice.fromUs)
  }, 0)
}
