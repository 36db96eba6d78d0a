/**
 * How likely mere chance is to give counts like these, when nothing changed. Exact, because after a deploy there are often
 * only a handful of records: an approximation by the bell curve would be wrong by orders of magnitude there.
 */

/** Errors and records come in heaps, which chance by itself does not know: only what is far beyond it counts. */
export const CLEAR = 1e-4
export const VERY_CLEAR = 1e-8

/** `events` happened in `of` records, or in a time of that length. */
export type Rate = { events: number; of: number }

/**
 * The chance that at least this many of all events fall into the later part when the rate is the same in both: the exact
 * test of two Poisson rates, in which each event is the toss of a coin weighted by the two exposures.
 */
export function chanceOfRise(before: Rate, after: Rate): number {
  const exposure = before.of + after.of
  if (after.events === 0 || exposure === 0) return 1
  return upperTail(before.events + after.events, after.events, after.of / exposure)
}

/** The chance that at most `events` come where `expected` would. */
export function chanceOfSilence(events: number, expected: number): number {
  let term = Math.exp(-expected)
  let sum = term
  for (let count = 1; count <= events; count += 1) {
    term *= expected / count
    sum += term
  }
  return Math.min(1, sum)
}

/** That at least `least` of `trials` succeed, each with the chance `share`. */
function upperTail(trials: number, least: number, share: number): number {
  if (least <= 0 || share >= 1) return 1
  if (share <= 0) return 0
  const odds = share / (1 - share)
  let term = Math.exp(logChoose(trials, least) + least * Math.log(share) + (trials - least) * Math.log1p(-share))
  let sum = 0
  for (let count = least; count <= trials; count += 1) {
    sum += term
    // Beyond the middle each term is smaller than the one before.
    if (term < sum * Number.EPSILON && count > trials * share) break
    term *= ((trials - count) / (count + 1)) * odds
  }
  return Math.min(1, sum)
}

function logChoose(all: number, chosen: number): number {
  return logFactorial(all) - logFactorial(chosen) - logFactorial(all - chosen)
}

/** Exact for small numbers, then by Stirling's series, which is right to twelve digits from there on. */
function logFactorial(number: number): number {
  if (number < 20) {
    let product = 1
    for (let factor = 2; factor <= number; factor += 1) product *= factor
    return Math.log(product)
  }
  const inverse = 1 / number
  const series = inverse / 12 - inverse ** 3 / 360 + inverse ** 5 / 1_260
  return number * Math.log(number) - number + 0.5 * Math.log(2 * Math.PI * number) + series
}
