import type { Random } from './random.ts'

/** Moments of a Poisson process whose rate changes with time, by thinning one that has the highest rate throughout. */
export function* arrivals(
  random: Random,
  { fromMs, toMs, peakPerSecond }: { fromMs: number; toMs: number; peakPerSecond: number },
  perSecond: (timeMs: number) => number = () => peakPerSecond,
): Generator<number> {
  for (let at = fromMs; ; ) {
    at += (-Math.log(1 - random.next()) / peakPerSecond) * 1_000
    if (at >= toMs) return
    if (random.next() * peakPerSecond < perSecond(at)) yield Math.floor(at)
  }
}
