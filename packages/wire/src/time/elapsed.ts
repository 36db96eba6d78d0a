/**
 * Lengths of time as people read them, everywhere in one form: the two largest units. `spanWords` is for the span in which
 * something was counted, `formatAgo` for a moment beside now. What people type, `1h30m`, is in duration.ts.
 */
import { counted } from '../text/counted.ts'
import { DAY_US, HOUR_US, MINUTE_US, SECOND_MS, SECOND_US } from './units.ts'

const UNITS = [
  { name: 'd', sizeUs: DAY_US },
  { name: 'h', sizeUs: HOUR_US },
  { name: 'min', sizeUs: MINUTE_US },
  { name: 's', sizeUs: SECOND_US },
] as const
const [, , , SECONDS] = UNITS
/** Nearer than this is now. */
const NOW_SECONDS = 5

/** Rounded down: `4 min 12 s`, `1 d 1 h`, `2 h`; below a second `under 1 s`, and `0 s` for none and for less. */
export function formatElapsed(seconds: number): string {
  const lengthUs = Math.max(0, seconds * SECOND_US)
  if (lengthUs > 0 && lengthUs < SECOND_US) return 'under 1 s'
  const unit = unitOf(lengthUs)
  const smaller = UNITS[UNITS.indexOf(unit) + 1]
  const restUs = lengthUs % unit.sizeUs
  const head = inUnit(lengthUs, unit)
  return smaller === undefined || restUs < smaller.sizeUs ? head : `${head} ${inUnit(restUs, smaller)}`
}

/** `the 2 h 52 min`; `the hour` and `the 24 h` as the spans that are often asked for are called. */
export function spanWords(lengthUs: number): string {
  if (lengthUs === HOUR_US) return 'the hour'
  return lengthUs === DAY_US ? 'the 24 h' : `the ${formatElapsed(lengthUs / SECOND_US)}`
}

/** `5 min ago`, `3 days ago`, `in 30 days`, `now`: days are written out. What ends in 30 days does so a moment later too, and not in 29. */
export function formatAgo(timestamp: string, nowMs: number): string {
  const agoUs = (nowMs - Date.parse(timestamp)) * (SECOND_US / SECOND_MS)
  if (Math.abs(agoUs) < NOW_SECONDS * SECOND_US) return 'now'
  const lengthUs = agoUs > 0 ? agoUs : toSmallerUnit(-agoUs)
  const text = lengthUs >= DAY_US ? counted(Math.floor(lengthUs / DAY_US), 'day') : inUnit(lengthUs, unitOf(lengthUs))
  return agoUs > 0 ? `${text} ago` : `in ${text}`
}

function toSmallerUnit(lengthUs: number): number {
  const { sizeUs } = UNITS[UNITS.indexOf(unitOf(lengthUs)) + 1] ?? SECONDS
  return Math.round(lengthUs / sizeUs) * sizeUs
}

type Unit = (typeof UNITS)[number]

/** The largest there is one of. */
function unitOf(lengthUs: number): Unit {
  return UNITS.find(({ sizeUs }) => lengthUs >= sizeUs) ?? SECONDS
}

function inUnit(lengthUs: number, { name, sizeUs }: Unit): string {
  return `${Math.floor(lengthUs / sizeUs)} ${name}`
}
