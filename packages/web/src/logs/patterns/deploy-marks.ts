import type { PatternsAnswer } from '@tidemark/wire/reading/patterns'
import type { DeployRow } from '@tidemark/wire/reading/row'

/** More could not be told apart; the histogram has them all. */
const MAX_MARKS = 12

/** Where deploys were in the window, from 0 to 1: one for each slice of a trend, and none where there are too many. */
export function deployMarks(
  deploys: readonly DeployRow[],
  { window, trendSeconds }: Pick<PatternsAnswer, 'window' | 'trendSeconds'>,
): number[] {
  const fromMs = Date.parse(window.from)
  const lengthMs = Math.max(1, Date.parse(window.to) - fromMs)
  const slice = (trendSeconds * 1_000) / lengthMs
  const places = deploys
    .map(({ timestamp }) => (Date.parse(timestamp) - fromMs) / lengthMs)
    .filter((place) => place >= 0 && place <= 1)
  const marks = [...new Map(places.map((place) => [Math.floor(place / slice), place])).values()]
  return marks.length > MAX_MARKS ? [] : marks
}
