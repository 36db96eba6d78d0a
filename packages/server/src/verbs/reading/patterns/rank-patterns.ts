/** What became of each pattern since the base, and which is named first. */
import { isErrorLevel, LEVELS } from '@tidemark/wire/level'
import type { Change } from '@tidemark/wire/reading/compare'
import type { PatternState } from '@tidemark/wire/reading/patterns'
import { differencesOf } from '../../../analysis/compare/differences.ts'
import { byCountThenText } from '../../../analysis/pattern/merge-patterns.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import { secondsOf } from '../compared-spans.ts'
import { type MergedPatterns, type ReadPattern, talliedPatterns } from './merged-patterns.ts'

export type RankedPattern = { pattern: ReadPattern; state: PatternState | null }

const STATE_OF: Record<Change, PatternState> = { appeared: 'new', vanished: 'gone', grew: 'grown', shrank: 'shrunk' }
/** Fewer records before say nothing about what is rare: there, only what is beyond chance is new. */
const MIN_BASE_RECORDS = 100

/**
 * New errors first, then the other changes, the most telling first, then what is new and rare, then what is steady.
 * What the base has none of is new, though it came once: a first "out of memory" must not be called steady. The other
 * way round it would be noise: a pattern that the window does not have is listed only where it is certain that it is gone.
 */
export function rankPatterns(
  merged: Pick<MergedPatterns, 'patterns' | 'records' | 'baseRecords'>,
  { range, base, nowUs }: { range: TimeRange; base: TimeRange | null; nowUs: number },
): RankedPattern[] {
  const byCount = merged.patterns.filter(({ count }) => count > 0).sort(byCountThenText)
  if (base === null || merged.baseRecords === 0) return byCount.map((pattern) => ({ pattern, state: null }))
  const seconds = { seconds: secondsOf(range, nowUs), baseSeconds: secondsOf(base, nowUs) }
  const byText = new Map(merged.patterns.map((pattern) => [pattern.text, pattern]))
  const certain = differencesOf(...talliedPatterns(merged, seconds)).map(({ value, change }) => ({
    pattern: byText.get(value)!,
    state: STATE_OF[change],
  }))
  const changed = new Set(certain.map(({ pattern }) => pattern))
  const others = byCount.filter((pattern) => !changed.has(pattern))
  const isNew = ({ baseCount }: ReadPattern) => baseCount === 0 && merged.baseRecords >= MIN_BASE_RECORDS
  const rare = others.filter(isNew).sort((a, b) => gravity(b) - gravity(a))
  const found = [...certain, ...rare.map((pattern) => ({ pattern, state: 'new' as const }))]
  const steady = others.filter((pattern) => !isNew(pattern))
  return [
    ...found.filter(isNewError),
    ...found.filter((one) => !isNewError(one)),
    ...steady.map((pattern) => ({ pattern, state: 'steady' as const })),
  ]
}

function isNewError({ pattern, state }: RankedPattern): boolean {
  const [gravest] = pattern.levels
  return state === 'new' && gravest !== undefined && isErrorLevel(gravest)
}

function gravity({ levels: [gravest] }: ReadPattern): number {
  return gravest === undefined ? -1 : LEVELS.indexOf(gravest)
}
