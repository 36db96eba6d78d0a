/** Where the times go under a chart: at natural intervals, far enough apart to be read. */
export type Tick = { x: number; timeMs: number }

const TICK_EVERY_PX = 110
/** Half of the longest text, `15 Nov 14:03`: closer to an end it would be cut. */
const EDGE_PX = 38
const DAY_MS = 86_400_000
const STEPS_MS = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400].map(
  (seconds) => seconds * 1_000,
)

export function ticksOf(fromMs: number, toMs: number, width: number): Tick[] {
  const wanted = Math.max(1, Math.floor(width / TICK_EVERY_PX))
  const least = (toMs - fromMs) / wanted
  const step = STEPS_MS.find((size) => size >= least) ?? Math.ceil(least / DAY_MS) * DAY_MS
  const ticks: Tick[] = []
  for (let timeMs = Math.ceil(fromMs / step) * step; timeMs < toMs; timeMs += step) {
    const x = ((timeMs - fromMs) / (toMs - fromMs)) * width
    if (x > EDGE_PX && x < width - EDGE_PX) ticks.push({ x, timeMs })
  }
  return ticks
}
