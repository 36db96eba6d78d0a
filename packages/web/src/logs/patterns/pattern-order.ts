import type { LogPattern, PatternState } from '@tidemark/wire/reading/patterns'
import { withCommas } from '@tidemark/wire/text/counted'

export const SORTS = [
  { value: 'change', label: 'Changes first' },
  { value: 'count', label: 'Most records first' },
  { value: 'newest', label: 'Newest first' },
] as const

export type Sort = (typeof SORTS)[number]['value']

/** Without anything to compare with there are no changes. */
export function sortOf(text: string | undefined, hasBase: boolean): Sort {
  const sort = SORTS.find(({ value }) => value === text)?.value ?? 'change'
  return sort === 'change' && !hasBase ? 'count' : sort
}

/** The service puts changes first. Newest is what began last, as far as the window goes back. */
export function inOrder(patterns: readonly LogPattern[], sort: Sort): readonly LogPattern[] {
  if (sort === 'change') return patterns
  if (sort === 'count') return patterns.toSorted((one, other) => other.count - one.count)
  return patterns.toSorted((one, other) => Date.parse(other.firstSeen) - Date.parse(one.firstSeen))
}

const TOLD: readonly PatternState[] = ['new', 'grown', 'gone', 'shrunk']

/** `3 new, 1 gone`; empty where nothing changed. */
export function changesOf(patterns: readonly LogPattern[]): string {
  const words = TOLD.map((state) => ({ state, count: patterns.filter((one) => one.state === state).length }))
  return words
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${withCommas(count)} ${state}`)
    .join(', ')
}
