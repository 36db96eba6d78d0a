/**
 * Microseconds since 1970 of an epoch in seconds, milliseconds, microseconds or nanoseconds. They are told apart by size:
 * below 10^11 seconds, and so forth, which is unambiguous from 1973 to 5138.
 */
export function epochToUs(epoch: number): number {
  if (epoch < 1e11) return Math.round(epoch * 1e6)
  if (epoch < 1e14) return Math.round(epoch * 1e3)
  if (epoch < 1e17) return Math.round(epoch)
  return Math.floor(epoch / 1e3)
}
