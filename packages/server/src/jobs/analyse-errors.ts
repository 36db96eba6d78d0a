/**
 * The worker of analyses. Every node takes segments from the queue, each for as long as its lease lasts; if the node
 * dies, another one takes them again, and a segment that is counted twice counts once. A segment that fails is retried
 * by itself, with growing pauses, and never holds up the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedSegment } from '../control/analyses/queue.ts'
import type { Control } from '../control/open.ts'
import { isRetryable } from '../errors.ts'
import { backOffMs } from '../pause.ts'
import { analyseSegments } from './analyse-segments.ts'
import type { AnalysisParts } from './describe-counts.ts'
import { packInOrder } from './pack-in-order.ts'

type Parts = AnalysisParts & {
  control: Pick<Control, 'analyses' | 'groupingRules' | 'analysisQueue'>
  node: string
  now?: () => number
}

export type ErrorAnalysis = {
  /** Something was queued on this node. */
  wake(): void
  /** Waits a moment for what is under way; the rest is done at the next start. */
  stop(): Promise<void>
  readonly stats: AnalysisStats
}

type AnalysisStats = {
  segments: number
  errors: number
  failures: number
  /** Of the segments counted last, which are counted together: the longest time from being loaded to being counted. */
  lagMs: number
}

const SEGMENTS_AT_ONCE = 48
/** How many errors the log store is asked about at once: if each is of its own kind, the answer has a row for each. */
const ERRORS_AT_ONCE = 200_000
/** For a segment that does not say how many it has. */
const ASSUMED_ERRORS = 50_000
/** Longer than a question to the log store may take. */
const LEASE_MS = 25_000
/** What other nodes queue is found by polling. */
const LOOK_EVERY_MS = 1_000
/** Once a store that was down is back, nothing should wait long. */
const RETRY_WHEN_AWAY_MS = 2_000
const RETRY_FROM_MS = 1_000
const RETRY_TO_MS = 600_000
const STOP_MS = 5_000

export function startErrorAnalysis({ control, logStore, sources, node, log, now = Date.now }: Parts): ErrorAnalysis {
  const stats: AnalysisStats = { segments: 0, errors: 0, failures: 0, lagMs: 0 }
  const stopping = new AbortController()
  let isWoken = false
  let wake = () => {
    isWoken = true
  }

  async function loop(): Promise<void> {
    while (!stopping.signal.aborted) {
      isWoken = false
      const isMore = await look().catch((error) => {
        if (!stopping.signal.aborted) log.warn({ err: error, cause: error.cause }, 'the queue of errors was not read')
        return false
      })
      if (!isMore && !isWoken) await pause()
    }
  }

  /** Says whether there may be more to do at once. */
  async function look(): Promise<boolean> {
    const claim = { limit: SEGMENTS_AT_ONCE, leaseMs: LEASE_MS, nowMs: now() }
    const claimed = await control.analysisQueue.claim(node, claim)
    const parts = packInOrder(claimed, ({ errors }) => errors ?? ASSUMED_ERRORS, ERRORS_AT_ONCE)
    for (const part of parts) await analyse(part)
    return claimed.length === SEGMENTS_AT_ONCE
  }

  /** What fails together is retried in halves, so that in the end only the one that fails waits. */
  async function analyse(claimed: readonly ClaimedSegment[]): Promise<void> {
    if (claimed.length === 0) return
    try {
      const { errors, incomplete } = await analyseSegments({ control, logStore, sources, log }, claimed, now())
      const counted = claimed.filter((segment) => !incomplete.includes(segment))
      stats.segments += counted.length
      stats.errors += errors
      if (counted.length > 0) {
        const oldestMs = Math.min(...counted.map(({ queuedAtMs }) => queuedAtMs))
        stats.lagMs = Math.max(0, now() - oldestMs)
      }
      for (const segment of incomplete) await postpone(segment, new Error('not all of its errors can be seen yet'))
    } catch (error) {
      if (stopping.signal.aborted) return
      if (isAway(error)) await giveBack(claimed, error)
      else if (claimed.length === 1 && claimed[0]) await postpone(claimed[0], error)
      else {
        const half = Math.ceil(claimed.length / 2)
        await analyse(claimed.slice(0, half))
        await analyse(claimed.slice(half))
      }
    }
  }

  async function giveBack(claimed: readonly ClaimedSegment[], error: unknown): Promise<void> {
    stats.failures++
    log.warn({ err: error, segments: claimed.length }, 'errors wait to be analysed until their store is back')
    const ids = claimed.map(({ segmentId }) => segmentId)
    await control.analysisQueue.release(ids, now() + RETRY_WHEN_AWAY_MS)
  }

  async function postpone({ segmentId, attempts, queuedAtMs }: ClaimedSegment, error: unknown): Promise<void> {
    stats.failures++
    const waitMs = backOffMs(attempts + 1, RETRY_FROM_MS, RETRY_TO_MS)
    const { cause } = error as Error
    log.error(
      { err: error, cause, segment: segmentId, attempts: attempts + 1, waitMs, queuedAtMs },
      'the errors of a segment were not counted into analyses; it is tried again',
    )
    await control.analysisQueue.postpone(segmentId, now() + waitMs)
  }

  async function pause(): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, LOOK_EVERY_MS)
      wake = () => {
        isWoken = true
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const running = loop()
  return {
    stats,
    wake: () => wake(),
    async stop() {
      stopping.abort()
      wake()
      await Promise.race([running, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}

/** A question that takes too long may be the segment's own fault; a store that does not answer is nobody's. */
function isAway(error: unknown): boolean {
  return isRetryable(error) && error.code !== 'query_timeout'
}
