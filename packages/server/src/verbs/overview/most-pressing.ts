import type { OverviewAnalysis, OverviewAnswer } from '@tidemark/wire/reading/overview'

/** Of a window: what happened at its beginning counts for a sixteenth of what happened at its end. */
const HALF_LIVES = 4

/**
 * Whoever asks what is wrong asks because of what goes on and began last, or because of what is loud: in turns, what began
 * last and what is loudest. Errors are the less loud the longer ago they are and the longer ago the analysis began or grew.
 */
export function mostPressing<Analysis extends Pick<OverviewAnalysis, 'trend' | 'onset' | 'activity'>>(
  analyses: readonly Analysis[],
  { window, trendFrom, trendSeconds }: Pick<OverviewAnswer, 'window' | 'trendFrom' | 'trendSeconds'>,
): Analysis[] {
  const endMs = Date.parse(window.to)
  const halfLifeMs = (endMs - Date.parse(window.from)) / HALF_LIVES
  const faded = (atMs: number) => 2 ** (-Math.max(0, endMs - atMs) / halfLifeMs)
  const middleOf = (slice: number) => Date.parse(trendFrom) + (slice + 0.5) * trendSeconds * 1_000
  const loudness = ({ trend, onset }: Analysis) =>
    faded(Date.parse(onset)) * trend.reduce((sum, count, slice) => sum + count * faded(middleOf(slice)), 0)
  const known = analyses.map((one) => ({ one, loud: loudness(one), onsetMs: Date.parse(one.onset) }))
  const isQuiet = ({ one }: (typeof known)[number]) => (one.activity === 'quiet' ? 1 : 0)
  const newest = known.toSorted((a, b) => isQuiet(a) - isQuiet(b) || b.onsetMs - a.onsetMs || b.loud - a.loud)
  const loudest = known.toSorted((a, b) => b.loud - a.loud || b.onsetMs - a.onsetMs)
  return [...new Set(newest.flatMap((one, at) => [one, loudest[at]!]))].map(({ one }) => one)
}
