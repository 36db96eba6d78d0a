/** Where a stream of records began, fell silent or jumped, by counts in slices of time that follow each other. */
import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { chanceOfRise } from '../chance/poisson.ts'
import { rateRatio } from '../compare/differences.ts'
import { CLEAR, isSilent, LEAST_SILENCE_US } from '../verdict/signals.ts'

/** Oldest first, without gaps. */
export type Slice = { fromUs: number; toUs: number; count: number }
/** The change lies in the window; the slices also hold what was before it, and a little of what came after. */
export type Looked = { slices: readonly Slice[]; fromUs: number; atUs: number }

export type Began = { atUs: number; count: number; emptyUs: number }
export type Silence = { atUs: number; hourBefore: number; silentUs: number }
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
const QUARTER_US = HOUR_US / 4

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

/** It came steadily, also a day before, and does not any more. `lastUs`: its last record, where that is known. */
export function fellSilentIn({ slices, fromUs, atUs }: Looked, lastUs?: number): Silence | null {
  const last = slices.findLast(({ count }) => count > 0)
  const endUs = slices.at(-1)?.toUs ?? 0
  if (last === undefined) return null
  const silentFromUs = lastUs ?? last.toUs
  const silentUs = endUs - silentFromUs
  if (silentFromUs < fromUs || silentFromUs > atUs || silentUs < LEAST_SILENCE_US) return null
  // The last slice may be half empty: the hour before it says how much there was.
  const quarters = [4, 3, 2, 1].map((back) =>
    within(slices, last.fromUs - back * QUARTER_US, last.fromUs - (back - 1) * QUARTER_US),
  )
  const dayAgoUs = silentFromUs - DAY_US
  const hasDay = slices[0]!.fromUs <= dayAgoUs
  const dayBefore = within(slices, dayAgoUs, dayAgoUs + HOUR_US)
  if (!isSilent({ quarters, after: 0, dayBefore }, silentUs, hasDay)) return null
  return { atUs: silentFromUs, hourBefore: Math.round(quarters.reduce((sum, one) => sum + one, 0)), silentUs }
}

/** The clearest one: much more, or much less, than in the hour before, and not as every day. */
export function clearestJump({ slices, fromUs, atUs }: Looked): Jump | null {
  const [startUs, endUs] = [slices[0]?.fromUs ?? 0, slices.at(-1)?.toUs ?? 0]
  let found: Jump | null = null
  let best = LEAST_G
  for (const { fromUs: edgeUs } of slices) {
    const [spanUs, beforeUs] = [Math.min(JUMP_US, endUs - edgeUs), Math.min(JUMP_US, edgeUs - startUs)]
    if (edgeUs < fromUs || edgeUs > atUs || spanUs < LEAST_AFTER_US || beforeUs < JUMP_US) continue
    const after = within(slices, edgeUs, edgeUs + spanUs)
    const before = (within(slices, edgeUs - JUMP_US, edgeUs) * spanUs) / JUMP_US
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
  const dayBefore = within(slices, dayAgoUs, dayAgoUs + spanUs)
  return factor > 1 ? after < LEAST_DAILY_FACTOR * dayBefore : dayBefore < LEAST_DAILY_FACTOR * after
}

/** Of a slice that is only partly inside, its part. */
export function within(slices: readonly Slice[], fromUs: number, toUs: number): number {
  return slices.reduce((sum, slice) => {
    const insideUs = Math.min(toUs, slice.toUs) - Math.max(fromUs, slice.fromUs)
    return insideUs <= 0 ? sum : sum + (slice.count * insideUs) / (slice.toUs - slice.fromUs)
  }, 0)
}

function sumOf(slices: readonly Slice[]): number {
  return slices.reduce((sum, { count }) => sum + count, 0)
}
