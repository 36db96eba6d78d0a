import { DAY_MS, KNOWN_SECONDS } from '@tidemark/wire/time/units'

/** Where the times go under a chart: at natural intervals, far enough apart to be read. */
export type Tick = { x: number; timeMs: number }

/** Room for a text; and half of one, because closer to an end it would be cut. */
const ROOM = {
  /** `14:03:20` or `15 Nov` */
  short: { everyPx: 80, edgePx: 26 },
  /** `15 Nov 14:03` */
  long: { everyPx: 110, edgePx: 38 },
}

/** Under a chart this long a tick says its day and no clock. */
export const isOfDays = (spanMs: number): boolean => spanMs > 4 * DAY_MS

export function ticksOf(fromMs: number, toMs: number, width: number): Tick[] {
  const saysDayAndClock = toMs - fromMs > DAY_MS && !isOfDays(toMs - fromMs)
  const { everyPx, edgePx } = saysDayAndClock ? ROOM.long : ROOM.short
  const wanted = Math.max(1, Math.floor(width / everyPx))
  const least = (toMs - fromMs) / wanted
  const known = KNOWN_SECONDS.find((seconds) => seconds * 1_000 >= least)
  const natural = known === undefined ? Math.ceil(least / DAY_MS) * DAY_MS : known * 1_000
  // Where only the day is said, two ticks of one day would read alike.
  const step = isOfDays(toMs - fromMs) ? Math.max(DAY_MS, natural) : natural
  const ticks: Tick[] = []
  for (let timeMs = Math.ceil(fromMs / step) * step; timeMs < toMs; timeMs += step) {
    const x = ((timeMs - fromMs) / (toMs - fromMs)) * width
    if (x > edgePx && x < width - edgePx) ticks.push({ x, timeMs })
  }
  return ticks
}
