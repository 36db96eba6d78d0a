import { DAY_MS, KNOWN_SECONDS } from '@tidemark/wire/time/units'

/** Where the times go under a chart: at natural intervals, far enough apart to be read. */
export type Tick = { x: number; timeMs: number }

const TICK_EVERY_PX = 110
/** Half of the longest text, `15 Nov 14:03`: closer to an end it would be cut. */
const EDGE_PX = 38

/** Under a chart this long a tick says its day and no clock. */
export const isOfDays = (spanMs: number): boolean => spanMs > 4 * DAY_MS

export function ticksOf(fromMs: number, toMs: number, width: number): Tick[] {
  const wanted = Math.max(1, Math.floor(width / TICK_EVERY_PX))
  const least = (toMs - fromMs) / wanted
  const known = KNOWN_SECONDS.find((seconds) => seconds * 1_000 >= least)
  const natural = known === undefined ? Math.ceil(least / DAY_MS) * DAY_MS : known * 1_000
  // Where only the day is said, two ticks of one day would read alike.
  const step = isOfDays(toMs - fromMs) ? Math.max(DAY_MS, natural) : natural
  const ticks: Tick[] = []
  for (let timeMs = Math.ceil(fromMs / step) * step; timeMs < toMs; timeMs += step) {
    const x = ((timeMs - fromMs) / (toMs - fromMs)) * width
    if (x > EDGE_PX && x < width - EDGE_PX) ticks.push({ x, timeMs })
  }
  return ticks
}
