import { setTimeout as sleep } from 'node:timers/promises'

/** Ends early, and as if the time had passed, with the signal. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal }).catch(() => {})
}
