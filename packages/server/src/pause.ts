import { setTimeout as sleep } from 'node:timers/promises'

/** Ends early, and as if the time had passed, with the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}

/** How long to wait after so many failures in a row: twice as long after each, up to the longest. */
export function backOffMs(failures: number, firstMs: number, longestMs: number): number {
  return Math.min(firstMs * 2 ** Math.min(failures - 1, 20), longestMs)
}
