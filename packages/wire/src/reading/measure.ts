/** What can be asked of the records of a group, besides how many there are. */
export const MEASURES = ['count', 'distinct', 'avg', 'p50', 'p95', 'p99', 'max'] as const
export type Measure = (typeof MEASURES)[number]

/** Groups that are told apart over time when something is measured; the others are measured together. */
export const MAX_MEASURED_SPLIT = 8

export function measureNamed(text: string | undefined): Measure {
  return MEASURES.find((measure) => measure === text) ?? 'count'
}

/** Different values can be counted of any field; all else needs numbers. */
export function isOfNumbers(measure: Measure): boolean {
  return measure !== 'count' && measure !== 'distinct'
}
