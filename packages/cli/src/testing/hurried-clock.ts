/** Time that passes only in pauses, and then at once: what waits for minutes is tested in milliseconds. */
export function hurriedClock() {
  let nowMs = 0
  const pausesMs: number[] = []
  return {
    pausesMs,
    now: () => nowMs,
    async pause(ms: number, signal?: AbortSignal): Promise<void> {
      signal?.throwIfAborted()
      pausesMs.push(ms)
      nowMs += ms
    },
  }
}
