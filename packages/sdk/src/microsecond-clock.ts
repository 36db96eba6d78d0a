/**
 * The service orders records by their microsecond. Clocks have milliseconds, so the records of one millisecond are numbered
 * in the microseconds: their order is kept, and none is moved to another millisecond.
 */
export function createMicrosecondClock(): (timeMs: number) => number {
  let lastMs = 0
  let within = 0
  return (timeMs) => {
    if (timeMs !== lastMs) {
      lastMs = timeMs
      within = 0
    } else if (within < 999) within++
    return Math.round(timeMs * 1_000) + within
  }
}
