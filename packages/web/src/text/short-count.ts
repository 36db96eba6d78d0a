const FORMAT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

/** `1.2K`, where the whole number has no room. */
export function shortCount(count: number): string {
  return FORMAT.format(count)
}
