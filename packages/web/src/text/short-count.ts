import { withCommas } from '@tidemark/wire/text/counted'

/** As wide as `123.4K`, so there is room for it wherever there is room for a short one. */
const WHOLE_BELOW = 10_000
const UNITS = ['K', 'M', 'B', 'T']

/**
 * `9,876` and `12.3K`: exact as long as the whole number has room. Without `Intl`, whose first formatter of this kind
 * holds up the page for some 30 ms.
 */
export function shortCount(count: number): string {
  if (count < WHOLE_BELOW) return withCommas(count)
  let unit = 0
  let tenths = Math.round(count / 100)
  while (tenths >= 10_000 && unit < UNITS.length - 1) {
    unit++
    tenths = Math.round(count / 10 ** (3 * unit + 2))
  }
  return `${withCommas(Math.floor(tenths / 10))}${tenths % 10 === 0 ? '' : `.${tenths % 10}`}${UNITS[unit]}`
}
