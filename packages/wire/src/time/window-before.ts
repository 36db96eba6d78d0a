/** The window directly before another, and as long: what a window is compared with where nothing else is named. */

/** Where it begins, in the unit of both ends, which count from 1970; nothing is before that. */
export function beginningBefore(from: number, to: number): number {
  return Math.max(0, from - (to - from))
}

/** Of times as they are sent, with its beginning in whole milliseconds. */
export function windowBefore({ from, to }: { from: string; to: string }): { from: string; to: string } {
  return { from: new Date(beginningBefore(Date.parse(from), Date.parse(to))).toISOString(), to: from }
}
