/** How long to wait before the next attempt: twice as long each time, with jitter so that many senders do not come at once. */
const FIRST_MS = 500
const LONGEST_MS = 30_000

export function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 16), LONGEST_MS)
  return whole / 2 + (random() * whole) / 2
}
