import { withCommas } from '@tidemark/wire/text/counted'

/** Made when a number first needs it: that takes a while, which the first rows do not wait for. */
let compact: Intl.NumberFormat | undefined
/** As wide as `123.4K`, so there is room for it wherever there is room for a short one. */
const WHOLE_BELOW = 10_000

/** `9,876` and `12.3K`: exact as long as the whole number has room. */
export function shortCount(count: number): string {
  if (count < WHOLE_BELOW) return withCommas(count)
  compact ??= new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })
  return compact.format(count)
}
