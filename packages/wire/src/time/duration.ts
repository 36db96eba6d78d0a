/** Lengths of time: `90m`, `1h30m`, `2w`. */
import { DAY_US, HOUR_US, MINUTE_US, SECOND_US } from './units.ts'

const UNIT_US = { s: SECOND_US, m: MINUTE_US, h: HOUR_US, d: DAY_US, w: 7 * DAY_US } as const
type DurationUnit = keyof typeof UNIT_US

const DURATION = /^(?:\d{1,9}[smhdw])+$/i
/** A hundred years: further than any record. */
const MAX_DURATION_US = 36_525 * UNIT_US.d

/** In microseconds; undefined when it is not one or longer than a hundred years. */
export function parseDuration(text: string): number | undefined {
  if (!DURATION.test(text)) return undefined
  let total = 0
  for (const [, count, unit = 's'] of text.matchAll(/(\d+)([a-z])/gi)) {
    total += Number(count) * UNIT_US[unit.toLowerCase() as DurationUnit]
  }
  return total <= MAX_DURATION_US ? total : undefined
}

/** In the largest unit that leaves no remainder. Microseconds below a second are left out. */
export function formatDuration(durationUs: number): string {
  const seconds = Math.floor(durationUs / UNIT_US.s)
  for (const unit of ['w', 'd', 'h', 'm'] as const) {
    const size = UNIT_US[unit] / UNIT_US.s
    if (seconds >= size && seconds % size === 0) return `${seconds / size}${unit}`
  }
  return `${seconds}s`
}
