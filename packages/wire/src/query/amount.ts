/** Numbers as people write them in a query: `500`, `1.5s`, `10kb`. */

/** In nanoseconds, because whole numbers multiply exactly. */
const TIME_UNITS = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, m: 6e10, h: 3.6e12, d: 8.64e13, w: 6.048e14 } as const
const SIZE_UNITS = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
} as const

type Unit = keyof typeof TIME_UNITS | keyof typeof SIZE_UNITS
export type Amount = { value: number; unit: Unit | null }

const AMOUNT = /^([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?)([a-zµμ]{0,3})$/i

/** Undefined when the text is not a number, its unit is unknown or it is too large for a number. */
export function parseAmount(text: string): Amount | undefined {
  const match = AMOUNT.exec(text)
  if (!match) return undefined
  // Minus zero is zero to everyone who types it.
  const value = Number(match[1]) + 0
  const unit = (match[2] ?? '').toLowerCase().replace(/[µμ]/, 'u')
  if (!Number.isFinite(value)) return undefined
  if (unit === '') return { value, unit: null }
  return isUnit(unit) ? { value, unit } : undefined
}

export function printAmount({ value, unit }: Amount): string {
  return `${value}${unit ?? ''}`
}

/**
 * The number to compare the field's values with. Without a unit it is used as it is. Times are turned into what the
 * field's name says it holds (`took_ns`, `elapsedSeconds`), milliseconds where it says nothing; sizes into bytes.
 */
export function amountFor(fieldName: string, { value, unit }: Amount): number {
  if (unit === null) return value
  if (unit in SIZE_UNITS) return value * SIZE_UNITS[unit as keyof typeof SIZE_UNITS]
  return (value * TIME_UNITS[unit as keyof typeof TIME_UNITS]) / TIME_UNITS[heldUnit(fieldName)]
}

/** What a name ends with, in snake_case, dotted or camelCase, and what its numbers then are. */
const HELD: readonly (readonly [ending: RegExp, unit: keyof typeof TIME_UNITS])[] = [
  [/(?:^|[._-])(?:ns|nanos|nanoseconds)$|(?:Ns|NS|Nanos|Nanoseconds)$/, 'ns'],
  [/(?:^|[._-])(?:us|micros|microseconds)$|(?:Us|US|Micros|Microseconds)$/, 'us'],
  [/(?:^|[._-])(?:s|sec|secs|seconds)$|(?:[a-z]S|Sec|Secs|Seconds)$/, 's'],
  [/(?:^|[._-])(?:min|mins|minutes)$|(?:Min|Mins|Minutes)$/, 'm'],
]

function heldUnit(fieldName: string): keyof typeof TIME_UNITS {
  return HELD.find(([ending]) => ending.test(fieldName))?.[1] ?? 'ms'
}

function isUnit(text: string): text is Unit {
  return Object.hasOwn(TIME_UNITS, text) || Object.hasOwn(SIZE_UNITS, text)
}
