/**
 * Moves sealed segments from the spool into the log store, each exactly once (Invariant 2), oldest first. A store that
 * is down only makes the spool grow: a segment leaves the disk when, and only when, all of it is stored.
 */

import { stat, unlink } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Control } from '../../control/open.ts'
import { dayOf } from '../../control/projects/usage.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { SourceStacks } from '../../model/source-stacks.ts'
import { backOffMs } from '../../pause.ts'
import { dropRepeatedBatches } from './drop-repeated-batches.ts'
import { countDays, countErrors, countRecords, type Frame } from './frame.ts'
import { recoverSegment } from './recover-segment.ts'
import { listSegments, refuseNewerSegments, removeCopies, segmentPath } from './segment-file.ts'
import { createSegmentMapping, type SegmentMapping } from './source-map-segments.ts'
import type { SealedSegment, Spool } from './spool.ts'

/** With nothing else to load, an open segment is sealed at this age, which is how soon a record can be found. */
const SEAL_AFTER_MS = 250
/**
 * After a large load the next segment may grow for this long: the engine merges a few large parts with half the work of
 * many small ones.
 */
const REST_AFTER_LARGE_LOAD_MS = 1_000
/** A load of at most this many records costs the engine much the same whatever it holds: `restAfter`. */
const MAX_RECORDS_OF_SMALL_LOAD = 5_000
const MAX_REST_AFTER_LOAD_MS = 2_000
const RETRY_FROM_MS = 200
const RETRY_TO_MS = 5_000
/** A load that is still under way when the time to stop is over gets this much more. */
const LEAVE_AFTER_MS = 1_000

type Parts = {
  folder: string
  spool: Spool
  logStore: LogStore
  control: Pick<Control, 'batches' | 'usage' | 'analysisQueue'>
  sources?: SourceStacks | undefined
  log: Log
  now?: () => number
  /** How long a load took, by a clock that nobody sets. */
  elapsed?: () => number
  /** A timer for rests and retries; the returned function cancels it. */
  after?: (ms: number, run: () => void) => () => void
  leaveAfterMs?: number
}

type FlusherStats = {
  loadedSegments: number
  loadedRecords: number
  droppedBatches: number
  failures: number
  quarantinedBytes: number
}

export class Flusher {
  readonly stats: FlusherStats = {
    loadedSegments: 0,
    loadedRecords: 0,
    droppedBatches: 0,
    failures: 0,
    quarantinedBytes: 0,
  }
  readonly #parts: Parts
  readonly #now: () => number
  readonly #elapsed: () => number
  readonly #after: NonNullable<Parts['after']>
  readonly #mapping: SegmentMapping | undefined
  readonly #stopping = new AbortController()
  #running: Promise<void> | undefined
  #wake: () => void = () => {}
  #queued: () => void = () => {}

  constructor(parts: Parts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
    this.#elapsed = parts.elapsed ?? (() => performance.now())
    this.#after = parts.after ?? realAfter
    this.#mapping = parts.sources && createSegmentMapping({ sources: parts.sources, log: parts.log })
    parts.spool.onSealed(() => this.#wake())
  }

  onQueued(listener: () => void): void {
    this.#queued = listener
  }

  /** Finds what an earlier process left, then loads forever in the background. Call it before the first append. */
  async start(): Promise<void> {
    const leftovers = await listSegments(this.#parts.folder)
    await refuseNewerSegments(this.#parts.folder, leftovers)
    await removeCopies(this.#parts.folder).catch((error) =>
      this.#parts.log.warn({ err: error }, 'an unfinished copy of a spool segment could not be removed'),
    )
    this.#running = this.#run(leftovers)
  }

  /** Loads what can be loaded within the deadline; the rest stays on disk for the next start. */
  async stop(deadlineMs: number): Promise<void> {
    const timer = setTimeout(() => this.#stopping.abort(), deadlineMs)
    while (this.#parts.spool.bytes > 0 && !this.#stopping.signal.aborted) {
      this.#wake()
      await sleep(10)
    }
    clearTimeout(timer)
    this.#stopping.abort()
    this.#wake()
    // A longer load is left behind: its segment stays on disk, and the next start finds out what the store has of it.
    const { leaveAfterMs = LEAVE_AFTER_MS } = this.#parts
    await Promise.race([this.#running, sleep(leaveAfterMs, undefined, { ref: false })])
  }

  async #run(leftovers: string[]): Promise<void> {
    await this.#untilDone('the leftover segments could not be read', () => this.#adopt(leftovers))
    let restMs = SEAL_AFTER_MS
    while (!this.#stopping.signal.aborted) {
      const taken = this.#parts.spool.takeSealed()
      if (taken) {
        const { segment, done } = taken
        const startedAt = this.#elapsed()
        if (await this.#untilDone('a segment could not be loaded', () => this.#load(segment))) done()
        restMs = restAfter(countRecords(segment.frames), this.#elapsed() - startedAt)
      } else {
        await this.#pause(restMs)
        restMs = SEAL_AFTER_MS
        await this.#parts.spool
          .sealIfOlderThan(SEAL_AFTER_MS)
          .catch((error) => this.#parts.log.error({ err: error }, 'the spool could not seal a segment'))
      }
    }
  }

  /** Repeats with a growing pause until it works or the flusher stops. Says whether it worked. */
  async #untilDone(problem: string, work: () => Promise<void>): Promise<boolean> {
    for (let tries = 1; !this.#stopping.signal.aborted; tries++) {
      try {
        await work()
        return true
      } catch (error) {
        this.stats.failures++
        const level = error instanceof AppError && error.code === 'engine_restarting' ? 'warn' : 'error'
        this.#parts.log[level]({ err: error, cause: (error as Error).cause }, problem)
        await this.#pause(backOffMs(tries, RETRY_FROM_MS, RETRY_TO_MS))
      }
    }
    return false
  }

  async #adopt(ids: string[]): Promise<void> {
    const { folder, spool, logStore } = this.#parts
    if (ids.length === 0) return
    // One query for all of them: one query each was too slow at a few dozen segments.
    const stored = await logStore.loadedDays(ids.filter((id) => !logStore.isLoadedAgain(id)))
    const segments: SealedSegment[] = []
    for (const id of ids) {
      const path = segmentPath(folder, id)
      segments.push({ id, path, frames: [], bytes: (await stat(path)).size, sealedMs: 0 })
    }
    for (const segment of segments) {
      this.#stored.set(segment.id, stored.get(segment.id) ?? new Set())
      spool.adopt(segment)
    }
  }

  /** UTC days of a leftover segment that the store already has, from before a crash. */
  readonly #stored = new Map<string, Set<number>>()

  async #load(segment: SealedSegment): Promise<void> {
    const { logStore, control, log } = this.#parts
    const { batches } = control
    this.stats.quarantinedBytes += await recoverSegment(segment, log, this.#now())
    const dropped = await dropRepeatedBatches(segment, { batches, log, nowMs: this.#now() })
    this.stats.droppedBatches += dropped
    const { frames } = segment
    const stored = this.#stored.get(segment.id)
    const days = countDays(frames).filter(({ day }) => !stored?.has(day))
    if (days.length > 0) {
      // The frames that are left, where they are now.
      await this.#mapping?.map({ id: segment.id, path: segment.path, frames })
      await logStore.load({ id: segment.id, path: segment.path, days, bytes: segment.bytes })
    }
    await this.#count(segment.id, frames)
    await this.#queue(segment.id, frames)
    await unlink(segment.path)
    this.#stored.delete(segment.id)
    this.#mapping?.forget(segment.id)
    this.stats.loadedSegments++
    this.stats.loadedRecords += days.reduce((sum, { records }) => sum + records, 0)
    log.debug({ segment: segment.id, days, bytes: segment.bytes }, 'segment loaded')
  }

  /** Quota and redaction counters; a segment counted twice counts once. */
  async #count(segmentId: string, frames: readonly Frame[]): Promise<void> {
    const { usage } = this.#parts.control
    const entries = frames.map(({ meta }) => ({
      projectId: meta.projectId,
      day: dayOf(meta.receivedMs),
      records: meta.records,
      bytes: meta.rawBytes,
    }))
    await usage.add(segmentId, entries, this.#now())
    const redactions = frames.flatMap(({ meta }) =>
      Object.entries(meta.redactions).map(([rule, count]) => ({ projectId: meta.projectId, rule, redactions: count })),
    )
    if (redactions.length > 0) await usage.addRedactions(segmentId, redactions, this.#now())
  }

  /** Before the file is gone: after a crash it is queued again, and counted once all the same. */
  async #queue(segmentId: string, frames: readonly Frame[]): Promise<void> {
    const errors = countErrors(frames)
    if (errors === 0) return
    const days = countDays(frames).map(({ day }) => day)
    await this.#parts.control.analysisQueue.add({ segmentId, days, errors }, this.#now())
    this.#queued()
  }

  async #pause(ms: number): Promise<void> {
    if (this.#stopping.signal.aborted) return
    await new Promise<void>((resolve) => {
      const cancel = this.#after(ms, resolve)
      this.#wake = () => {
        cancel()
        resolve()
      }
    })
  }
}

function realAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms)
  return () => clearTimeout(timer)
}

/**
 * A small load costs much the same whatever it holds. So after one that took long the store rests as long: its readers
 * get their share, and the next load brings more for the same price. A segment that is full ends any rest.
 */
export function restAfter(records: number, tookMs: number): number {
  if (records > MAX_RECORDS_OF_SMALL_LOAD) return REST_AFTER_LARGE_LOAD_MS
  return Math.min(Math.max(tookMs, SEAL_AFTER_MS), MAX_REST_AFTER_LOAD_MS)
}
