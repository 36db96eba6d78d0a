/**
 * The course of one episode: when the errors really began, how high they rose, and whether they have ended. The first error
 * is not always the beginning: an error that trickled for weeks and jumps today began, for whoever asks why, today.
 */

const MINUTE_US = 60_000_000

export type Series = {
  /** When the first bucket begins. */
  fromUs: number
  bucketUs: number
  counts: readonly number[]
}

export type Course = {
  /** Where the rate leaves its base, to the bucket; the first error where there was nothing before. */
  onsetUs: number
  /** Errors per hour before the onset, when there were any. */
  basePerHour: number
  /** The fullest bucket since. */
  peak: { atUs: number; count: number; spanUs: number }
  /** Errors since the onset. */
  count: number
  lastUs: number
  /** Silent for several of its usual gaps. */
  isQuiet: boolean
}

export type CourseFacts = { anchorUs: number; lastUs: number; nowUs: number; series: Series }

/** A jump below this factor is the usual up and down. */
const LEAST_JUMP = 3
/** Twice the logarithm of how much likelier two rates are than one. Chance passes it about once in a thousand tries. */
const LEAST_LIKELIHOOD = 14
/** A pause of so many usual gaps is an end: chance makes one about once in three thousand gaps. */
const QUIET_GAPS = 8
const LEAST_QUIET_US = 10 * MINUTE_US

export function courseOf({ anchorUs, lastUs, nowUs, series }: CourseFacts): Course {
  const { fromUs, bucketUs } = series
  const first = Math.max(0, Math.floor((anchorUs - fromUs) / bucketUs))
  const last = Math.min(series.counts.length - 1, Math.floor((lastUs - fromUs) / bucketUs))
  const counts = series.counts.slice(first, last + 1)
  const jump = largestJump(counts)
  const at = jump?.at ?? 0
  const onsetUs = jump === null ? anchorUs : fromUs + (first + at) * bucketUs
  const since = counts.slice(at)
  const count = sum(since)
  const highest = since.indexOf(Math.max(0, ...since))
  return {
    onsetUs,
    basePerHour: jump === null ? 0 : (jump.before * 60 * MINUTE_US) / bucketUs,
    peak: {
      atUs: fromUs + (first + at + Math.max(0, highest)) * bucketUs,
      count: since[highest] ?? 0,
      spanUs: bucketUs,
    },
    count,
    lastUs,
    isQuiet: nowUs - lastUs > quietAfterUs(since, count, lastUs - onsetUs, bucketUs),
  }
}

/**
 * The split at which a rate most clearly rises, by the likelihood of two Poisson rates against one. Null when none does.
 */
function largestJump(counts: readonly number[]): { at: number; before: number } | null {
  const total = sum(counts)
  const whole = logLikelihood(total, counts.length)
  let found: { at: number; before: number } | null = null
  let best = LEAST_LIKELIHOOD
  let before = 0
  for (let at = 1; at < counts.length; at += 1) {
    before += counts[at - 1] ?? 0
    const [lower, higher] = [before / at, (total - before) / (counts.length - at)]
    if (higher < LEAST_JUMP * lower || counts[at] === 0) continue
    const gain = 2 * (logLikelihood(before, at) + logLikelihood(total - before, counts.length - at) - whole)
    if (gain > best) {
      best = gain
      found = { at, before: lower }
    }
  }
  return found
}

/** Of `count` events in `buckets`, at their own mean, without what is the same for every split. */
function logLikelihood(count: number, buckets: number): number {
  return count === 0 ? 0 : count * Math.log(count / buckets) - count
}

/** Errors come in heaps, so the usual gap is taken from the buckets that hold any, and from all of the time. */
function quietAfterUs(counts: readonly number[], count: number, durationUs: number, bucketUs: number): number {
  const held = counts.filter((one) => one > 0).length
  const meanUs = Math.max(durationUs, bucketUs) / Math.max(1, Math.min(count, held))
  return Math.max(LEAST_QUIET_US, QUIET_GAPS * meanUs)
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0)
}
