import type { OverviewAnalysis, OverviewAnswer } from '@tidemark/wire/reading/overview'

/** Of a window: what happened at its beginning counts for a sixteenth of what happened at its end. */
const HALF_LIVES = 4

/**
 * What is wrong now is either what began last and still goes on, or what has the most errors: the two orders take turns.
 * An error weighs less the longer ago it happened, and the longer ago its analysis began or grew.
 */
export function mostPressing<Analysis extends Pick<OverviewAnalysis, 'trend' | 'onset' | 'activity'>>(
  analyses: readonly Analysis[],
  { window, trendFrom, trendSeconds }: Pick<OverviewAnswer, 'window' | 'trendFrom' | 'trendSeconds'>,
): Analysis[] {
  const endMs = Date.parse(window.to)
  const halfLifeMs = (endMs - Date.parse(window.from)) / HALF_LIVES
  const faded = (atMs: number) => 2 ** (-Math.max(0, endMs - atMs) / halfLifeMs)
  const middleOf = (slice: number) => Date.parse(trendFrom) + (slice + 0.5) * trendSeconds * 1_000
  const weightOf = ({ trend, onset }: Analysis) =>
    faded(Date.parse(onset)) * trend.reduce((sum, count, slice) => sum + count * faded(middleOf(slice)), 0)
  const known = analyses.map((one) => ({ one, weight: weightOf(one), onsetMs: Date.parse(one.onset) }))
  const isQuiet = ({ one }: (typeof known)[number]) => (one.activity === 'quiet' ? 1 : 0)
  const newest = known.toSorted((a, b) => isQuiet(a) - isQuiet(b) || b.onsetMs - a.onsetMs || b.weight - a.weight)
  const heaviest = known.toSorted((a, b) => b.weight - a.weight || b.onsetMs - a.onsetMs)
  return [...new Set(newest.flatMap((one, at) => [one, heaviest[at]!]))].map(({ one }) => one)
}
