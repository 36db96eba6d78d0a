/** Where a stream of records began or jumped. Where it fell silent is decided in `analysis/silence`. */
import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { rateRatio } from '../chance/likelihood-ratio.ts'
import { CLEAR, chanceOfRise } from '../chance/poisson.ts'
import { countWithin, type Looked, type Slice } from '../slices.ts'

export type Began = { atUs: number; count: number; emptyUs: number }
export type Jump = { atUs: number; factor: number; before: number; after: number; spanUs: number }

const LEAST_RECORDS = 5
/** Before that there is nothing that a beginning could be told from. */
const LEAST_EMPTY_US = HOUR_US
/** A jump is told from the hour before it and from the same hour of the day before. */
const JUMP_US = HOUR_US
const LEAST_AFTER_US = 5 * MINUTE_US
const LEAST_IN_A_JUMP = 20
const LEAST_FACTOR = 2.5
/** What comes at this time every day is half of it at least. */
const LEAST_DAILY_FACTOR = 2
/** Records come in heaps: far beyond what chance alone makes likely. */
const LEAST_G = 60

/** There was none of it before, for as long as was looked at. */
export function beganIn({ slices, fromUs, atUs }: Looked): Began | null {
  const first = slices.findIndex(({ count }) => count > 0)
  const slice = slices[first]
  if (slice === undefined || slice.fromUs < fromUs || slice.fromUs > atUs) return null
  const emptyUs = slice.fromUs - slices[0]!.fromUs
  const count = sumOf(slices)
  const sinceUs = slices.at(-1)!.toUs - slice.fromUs
  const chance = chanceOfRise({ events: 0, of: emptyUs }, { events: count, of: sinceUs })
  if (emptyUs < LEAST_EMPTY_US || count < LEAST_RECORDS || chance > CLEAR) return null
  return { atUs: slice.fromUs, count, emptyUs }
}

/** The clearest one: much more, or much less, than in the hour before, and not as every day. */
export function clearestJump({ slices, fromUs, atUs }: Looked): Jump | null {
  const [startUs, endUs] = [slices[0]?.fromUs ?? 0, slices.at(-1)?.toUs ?? 0]
  let found: Jump | null = null
  let best = LEAST_G
  for (const { fromUs: edgeUs } of slices) {
    const [spanUs, beforeUs] = [Math.min(JUMP_US, endUs - edgeUs), Math.min(JUMP_US, edgeUs - startUs)]
    if (edgeUs < fromUs || edgeUs > atUs || spanUs < LEAST_AFTER_US || beforeUs < JUMP_US) continue
    const after = countWithin(slices, edgeUs, edgeUs + spanUs)
    const before = (countWithin(slices, edgeUs - JUMP_US, edgeUs) * spanUs) / JUMP_US
    if (Math.max(after, before) < LEAST_IN_A_JUMP || before < 1 || after < 1) continue
    const factor = after / before
    if (Math.max(factor, 1 / factor) < LEAST_FACTOR) continue
    const g = rateRatio({ count: after, baseCount: before }, spanUs, spanUs)
    if (g <= best || isDaily(slices, { edgeUs, spanUs, after, factor })) continue
    best = g
    found = { atUs: edgeUs, factor, before: Math.round(before), after: Math.round(after), spanUs }
  }
  return found
}

function isDaily(
  slices: readonly Slice[],
  { edgeUs, spanUs, after, factor }: { edgeUs: number; spanUs: number; after: number; factor: number },
): boolean {
  const dayAgoUs = edgeUs - DAY_US
  if (slices[0]!.fromUs > dayAgoUs) return false
  const dayBefore = countWithin(slices, dayAgoUs, dayAgoUs + spanUs)
  return factor > 1 ? after < LEAST_DAILY_FACTOR * dayBefore : dayBefore < LEAST_DAILY_FACTOR * after
}

function sumOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, { count }) => sum + count, 0)
}
