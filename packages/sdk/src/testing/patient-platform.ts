/**
 * Node's platform with the time of a test. It stands still while a request is on its way, and jumps to the next timer
 * while somebody waits for a flush: back-off costs nothing, and no machine is too slow for it.
 */
import { nodePlatform } from '../node/platform.ts'
import type { Platform } from '../platform.ts'

type HandClock = {
  now(): number
  /** Requests without an answer. */
  underWay(): number
  /** No more jumps: time passes by `pass` only. */
  halt(): void
  go(): void
  pass(ms: number): void
}

type Timer = { atMs: number; run(): void }

export function patientPlatform(): { platform: Platform; clock: HandClock } {
  const node = nodePlatform()
  const timers = new Set<Timer>()
  let nowMs = Date.now()
  let requests = 0
  let waiters = 0
  let isHalted = false

  function runUntil(untilMs: number): void {
    for (let timer = next(); timer !== undefined && timer.atMs <= untilMs; timer = next()) {
      timers.delete(timer)
      nowMs = Math.max(nowMs, timer.atMs)
      timer.run()
    }
    nowMs = Math.max(nowMs, untilMs)
  }
  const next = () => [...timers].sort((one, other) => one.atMs - other.atMs)[0]

  /** Later, so that code that was just answered has said what it waits for next. */
  function jumpSoon(): void {
    setImmediate(() => {
      const timer = next()
      if (requests > 0 || waiters === 0 || isHalted || timer === undefined) return
      runUntil(timer.atMs)
      jumpSoon()
    })
  }

  const platform: Platform = {
    ...node,
    now: () => nowMs,
    after(delayMs, run) {
      const timer = { atMs: nowMs + delayMs, run }
      timers.add(timer)
      jumpSoon()
      return () => void timers.delete(timer)
    },
    hold() {
      const release = node.hold()
      waiters += 1
      jumpSoon()
      return () => {
        waiters -= 1
        release()
      }
    },
    gzip: (bytes) => during(node.gzip?.(bytes) ?? Promise.resolve(bytes)),
    post: (request) => during(node.post(request)),
  }

  async function during<Result>(work: Promise<Result>): Promise<Result> {
    requests += 1
    try {
      return await work
    } finally {
      requests -= 1
      jumpSoon()
    }
  }

  return {
    platform,
    clock: {
      now: () => nowMs,
      underWay: () => requests,
      halt() {
        isHalted = true
      },
      go() {
        isHalted = false
        jumpSoon()
      },
      pass: (ms) => runUntil(nowMs + ms),
    },
  }
}
