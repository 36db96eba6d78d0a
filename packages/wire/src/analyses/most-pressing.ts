/** Which analyses of an overview are looked at first, by agents and in the sentence of the page. */
import type { OverviewAnalysis, OverviewAnswer } from '../reading/overview.ts'

/** Of a window: what happened at its beginning counts for a sixteenth of what happened at its end. */
const HALF_LIVES = 4

type Pressing = Pick<OverviewAnalysis, 'trend' | 'onset' | 'activity'>
type Window = Pick<OverviewAnswer, 'window' | 'trendFrom' | 'trendSeconds'>

/**
 * What is wrong now is either what began last and still goes on, or what has the most errors: the two orders take turns.
 * An error weighs less the longer ago it happened, and the longer ago its analysis began or grew.
 */
export function mostPressing<Analysis extends Pressing>(analyses: readonly Analysis[], window: Window): Analysis[] {
  const known = weighed(analyses, window)
  const newest = known.toSorted((a, b) => a.isQuiet - b.isQuiet || b.onsetMs - a.onsetMs || b.weight - a.weight)
  const heaviest = known.toSorted((a, b) => b.weight - a.weight || b.onsetMs - a.onsetMs)
  return [...new Set(newest.flatMap((one, at) => [one, heaviest[at]!]))].map(({ one }) => one)
}

/** The one with the most errors, weighed alike, of those that still go on; of all where none does. */
export function worstOf<Analysis extends Pressing>(
  analyses: readonly Analysis[],
  window: Window,
): Analysis | undefined {
  const known = weighed(analyses, window)
  return known.toSorted((a, b) => a.isQuiet - b.isQuiet || b.weight - a.weight || b.onsetMs - a.onsetMs)[0]?.one
}

function weighed<Analysis extends Pressing>(
  analyses: readonly Analysis[],
  { window, trendFrom, trendSeconds }: Window,
) {
  const endMs = Date.parse(window.to)
  const halfLifeMs = (endMs - Date.parse(window.from)) / HALF_LIVES
  const faded = (atMs: number) => 2 ** (-Math.max(0, endMs - atMs) / halfLifeMs)
  const middleOf = (slice: number) => Date.parse(trendFrom) + (slice + 0.5) * trendSeconds * 1_000
  return analyses.map((one) => ({
    one,
    weight: faded(Date.parse(one.onset)) * one.trend.reduce((sum, count, at) => sum + count * faded(middleOf(at)), 0),
    onsetMs: Date.parse(one.onset),
    isQuiet: one.activity === 'quiet' ? 1 : 0,
  }))
}
