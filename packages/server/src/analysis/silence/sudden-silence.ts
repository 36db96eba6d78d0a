/**
 * Whether a busy stream of records has stopped within minutes, judged by how many would have come. The moment in
 * question is known, such as a deploy, and the answer is needed at once; so it rests on amounts, and says nothing about
 * what logs little. `long-silence.ts` finds what has been quiet for long, however little it logs, by its own pauses.
 */
import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { chanceOfSilence } from '../chance/poisson.ts'
import { countWithin, type Looked } from '../slices.ts'

/** Records of something, such as a service, around the moment since which it may be silent. */
export type Volume = {
  /** In each quarter of the hour before, oldest first. */
  quarters: readonly number[]
  after: number
  /** In the hour that began a day before. */
  dayBefore: number
}

export type SuddenSilence = { atUs: number; hourBefore: number; silentUs: number }

/** Sooner than five minutes after a deploy its services may be starting. */
export const LEAST_SUDDEN_US = 5 * MINUTE_US
/** Below this many expected records their absence says nothing. */
const LEAST_EXPECTED = 20
/** Near nothing: one of twenty still comes, from what was not restarted yet. */
const NEAR_NOTHING = 0.05
const UNLIKELY = 1e-6
const QUARTER_US = HOUR_US / 4

/** By the lowest quarter of an hour before and by the day before: what comes in bursts is not a steady stream that could stop. */
export function isSuddenlySilent({ quarters, after, dayBefore }: Volume, lengthUs: number, hasDay: boolean): boolean {
  const steady = (Math.min(...quarters) * lengthUs) / QUARTER_US
  const expected = hasDay ? Math.min(steady, (dayBefore * lengthUs) / HOUR_US) : steady
  return expected >= LEAST_EXPECTED && after <= NEAR_NOTHING * expected && chanceOfSilence(after, expected) <= UNLIKELY
}

/** The moment in the window since which none came. `lastUs`: the last record, where that is known. */
export function suddenSilenceIn({ slices, fromUs, atUs }: Looked, lastUs?: number): SuddenSilence | null {
  const last = slices.findLast(({ count }) => count > 0)
  const endUs = slices.at(-1)?.toUs ?? 0
  if (last === undefined) return null
  const silentFromUs = lastUs ?? last.toUs
  const silentUs = endUs - silentFromUs
  if (silentFromUs < fromUs || silentFromUs > atUs || silentUs < LEAST_SUDDEN_US) return null
  // The last slice may be half empty: the hour before it says how much there was.
  const quarters = [4, 3, 2, 1].map((back) =>
    countWithin(slices, last.fromUs - back * QUARTER_US, last.fromUs - (back - 1) * QUARTER_US),
  )
  const dayAgoUs = silentFromUs - DAY_US
  const hasDay = slices[0]!.fromUs <= dayAgoUs
  const dayBefore = countWithin(slices, dayAgoUs, dayAgoUs + HOUR_US)
  if (!isSuddenlySilent({ quarters, after: 0, dayBefore }, silentUs, hasDay)) return null
  return { atUs: silentFromUs, hourBefore: Math.round(quarters.reduce((sum, one) => sum + one, 0)), silentUs }
}
