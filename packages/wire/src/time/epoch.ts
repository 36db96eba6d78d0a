/** In 1973. A smaller number is rather a duration or a count. */
export const FIRST_EPOCH = 1e8

/**
 * By which power of ten an epoch becomes microseconds: it is in seconds, milliseconds, microseconds or nanoseconds. They
 * are told apart by size: below 10^11 seconds, and so forth, which is unambiguous from 1973 to 5138.
 */
export function epochExponent(epoch: number): number {
  if (epoch < 1e11) return 6
  if (epoch < 1e14) return 3
  return epoch < 1e17 ? 0 : -3
}

/** Microseconds since 1970. */
export function epochToUs(epoch: number): number {
  const exponent = epochExponent(epoch)
  return exponent < 0 ? Math.floor(epoch / 1e3) : Math.round(epoch * 10 ** exponent)
}
