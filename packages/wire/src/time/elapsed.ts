/**
 * Lengths of time as people read them. Which form: `formatElapsed` where a length stands by itself or is compared with
 * another one, `durationWords` inside a sentence, `spanWords` for the span in which something was counted, `formatAgo` for
 * a moment beside now. What people type, `1h30m`, is in duration.ts.
 */
import { DAY_US, HOUR_US, MINUTE_US, SECOND_MS, SECOND_US } from './units.ts'

const UNITS = [
  { name: 'd', sizeUs: DAY_US },
  { name: 'h', sizeUs: HOUR_US },
  { name: 'min', sizeUs: MINUTE_US },
  { name: 's', sizeUs: SECOND_US },
] as const
const [, , , SECONDS] = UNITS
/** From this many units on, the fraction of another one is left out of a counted span. */
const MANY_UNITS = 10
/** Nearer than this is now. */
const NOW_SECONDS = 5

/** The two largest units, rounded down: `4 min 12 s`, `1 d 1 h`, `0 s`. */
export function formatElapsed(seconds: number): string {
  const lengthUs = Math.max(0, seconds * SECOND_US)
  return inTwoUnits(
    lengthUs,
    UNITS.findIndex(({ sizeUs }) => lengthUs >= sizeUs),
  )
}

/** The largest unit of which there are at least two, rounded down: `4 min`, `36 h`, `3 d`; below a second, `under 1 s`. */
export function durationWords(durationUs: number): string {
  const lengthUs = Math.abs(durationUs)
  const unit = UNITS.find(({ sizeUs }) => lengthUs >= 2 * sizeUs) ?? SECONDS
  return lengthUs > 0 && lengthUs < SECOND_US ? 'under 1 s' : inUnit(lengthUs, unit)
}

/** `the hour`, `the 24 h`, and with the smaller unit where it matters: `the 2 h 52 min`. */
export function spanWords(lengthUs: number): string {
  if (lengthUs === HOUR_US) return 'the hour'
  const at = UNITS.findIndex(({ sizeUs }) => lengthUs >= 2 * sizeUs)
  const unit = UNITS[at] ?? SECONDS
  const isLong = lengthUs >= MANY_UNITS * unit.sizeUs
  return `the ${isLong || at === -1 ? durationWords(lengthUs) : inTwoUnits(lengthUs, at)}`
}

/** `5 min ago`, `in 3 d`, `now`. */
export function formatAgo(timestamp: string, nowMs: number): string {
  const agoUs = (nowMs - Date.parse(timestamp)) * (SECOND_US / SECOND_MS)
  if (Math.abs(agoUs) < NOW_SECONDS * SECOND_US) return 'now'
  const text = inUnit(Math.abs(agoUs), UNITS.find(({ sizeUs }) => Math.abs(agoUs) >= sizeUs) ?? SECONDS)
  return agoUs > 0 ? `${text} ago` : `in ${text}`
}

type Unit = (typeof UNITS)[number]

/** `at`: of the larger unit; the smaller one is said where there is any of it. */
function inTwoUnits(lengthUs: number, at: number): string {
  const unit = UNITS[at] ?? SECONDS
  const smaller = UNITS[UNITS.indexOf(unit) + 1]
  const restUs = lengthUs % unit.sizeUs
  const head = inUnit(lengthUs, unit)
  return smaller === undefined || restUs < smaller.sizeUs ? head : `${head} ${inUnit(restUs, smaller)}`
}

function inUnit(lengthUs: number, { name, sizeUs }: Unit): string {
  return `${Math.floor(lengthUs / sizeUs)} ${name}`
}
