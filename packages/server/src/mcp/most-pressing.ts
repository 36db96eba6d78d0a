import type { OverviewAnalysis, OverviewAnswer } from '@tidemark/wire/reading/overview'

/** Of a window: what happened at its beginning counts for a sixteenth of what happened at its end. */
const HALF_LIVES = 4

/**
 * Whoever asks what is wrong asks because of what is loud and began last: errors count the less the longer ago they are, and
 * those of an analysis the less the longer ago it began or grew, and half when it is quiet.
 */
export function mostPressing<Analysis extends Pick<OverviewAnalysis, 'trend' | 'onset' | 'activity'>>(
  analyses: readonly Analysis[],
  { window, trendFrom, trendSeconds }: Pick<OverviewAnswer, 'window' | 'trendFrom' | 'trendSeconds'>,
): Analysis[] {
  const endMs = Date.parse(window.to)
  const halfLifeMs = (endMs - Date.parse(window.from)) / HALF_LIVES
  const faded = (atMs: number) => 2 ** (-Math.max(0, endMs - atMs) / halfLifeMs)
  const middleOf = (slice: number) => Date.parse(trendFrom) + (slice + 0.5) * trendSeconds * 1_000
  const weightOf = ({ trend, onset, activity }: Analysis) =>
    (activity === 'quiet' ? 0.5 : 1) *
    faded(Date.parse(onset)) *
    trend.reduce((sum, count, slice) => sum + count * faded(middleOf(slice)), 0)
  return analyses
    .map((one) => ({ one, weight: weightOf(one) }))
    .sort((a, b) => b.weight - a.weight || Date.parse(b.one.onset) - Date.parse(a.one.onset))
    .map(({ one }) => one)
}
