import { withCommas } from '@tidemark/wire/text/counted'

const FORMAT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
/** As wide as `123.4K`, so there is room for it wherever there is room for a short one. */
const WHOLE_BELOW = 10_000

/** `9,876` and `12.3K`: exact as long as the whole number has room. */
export function shortCount(count: number): string {
  return count < WHOLE_BELOW ? withCommas(count) : FORMAT.format(count)
}
