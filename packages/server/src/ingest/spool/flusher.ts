/**
 * Moves sealed segments from the spool into the log store, each exactly once (Invariant 2), oldest first. A store that
 * is down only makes the spool grow: a segment leaves the disk when, and only when, all of it is stored.
 */

import { stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Control } from '../../control/open.ts'
import { storedRules } from '../../control/projects/retention-rules.ts'
import { monthOf } from '../../control/projects/usage.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { SourceStacks } from '../../model/source-stacks.ts'
import type { Frame } from './frame.ts'
import { createSegmentMapping, type SegmentMapping } from './map-segments.ts'
import {
  cutSegment,
  keepFrames,
  listSegments,
  refuseNewerSegments,
  removeCopies,
  scanSegment,
  segmentPath,
} from './segment-file.ts'
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

  /** Calls the listener whenever errors wait to be analysed. */
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
    for (let pauseMs = RETRY_FROM_MS; !this.#stopping.signal.aborted; pauseMs = Math.min(pauseMs * 2, RETRY_TO_MS)) {
      try {
        await work()
        return true
      } catch (error) {
        this.stats.failures++
        const level = error instanceof AppError && error.code === 'engine_restarting' ? 'warn' : 'error'
        this.#parts.log[level]({ err: error, cause: (error as Error).cause }, problem)
        await this.#pause(pauseMs)
      }
    }
    return false
  }

  async #adopt(ids: string[]): Promise<void> {
    const { folder, spool, logStore, log } = this.#parts
    if (ids.length === 0) return
    // One query for all of them: one query each was too slow at a few dozen segments.
    const stored = await logStore.loadedDays(ids)
    const segments: SealedSegment[] = []
    for (const id of ids) {
      const path = segmentPath(folder, id)
      const scan = await scanSegment(path)
      if (scan.goodBytes < scan.fileBytes) {
        const lostBytes = scan.fileBytes - scan.goodBytes
        if (scan.isDamaged) this.stats.quarantinedBytes += lostBytes
        log[scan.isDamaged ? 'error' : 'info'](
          { segment: id, bytes: lostBytes },
          scan.isDamaged
            ? 'a spool segment is damaged: the rest of it was put into quarantine'
            : 'an unfinished end was cut off a spool segment',
        )
        await cutSegment(path, scan, join(folder, `${id}.quarantine`))
      }
      if (scan.frames.length === 0) await unlink(path)
      else segments.push({ id, path, frames: scan.frames, bytes: scan.goodBytes })
    }
    for (const segment of segments) {
      this.#stored.set(segment.id, stored.get(segment.id) ?? new Set())
      spool.adopt(segment)
    }
  }

  /** UTC days of a leftover segment that the store already has, from before a crash. */
  readonly #stored = new Map<string, Set<number>>()

  async #load(segment: SealedSegment): Promise<void> {
    const { logStore, log } = this.#parts
    const frames = await this.#withoutRepeatedBatches(segment)
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

  /**
   * A batch, which is its id and its bytes, belongs to the first frame that claims it in the control store; the same frame
   * claiming again after a crash still owns it. Frames that lost are cut out of the file before it is loaded (Invariant 3).
   */
  async #withoutRepeatedBatches(segment: SealedSegment): Promise<Frame[]> {
    const named = segment.frames.flatMap((frame, index) =>
      frame.meta.batchId === null ? [] : [{ frame, index, batchId: frame.meta.batchId }],
    )
    const owned = await this.#parts.control.batches.claim(
      named.map(({ frame, batchId }) => ({
        projectId: frame.meta.projectId,
        batchId,
        segmentId: segment.id,
        frame: frame.meta.number,
        digest: frame.meta.digest ?? '',
        receivedMs: frame.meta.receivedMs,
        retentionDays: frame.meta.retentionDays ?? 0,
        retentionRules: frame.meta.retentionRules === undefined ? undefined : storedRules(frame.meta.retentionRules),
      })),
      this.#now(),
    )
    const lost = new Set(named.filter((_, at) => !owned[at]).map(({ index }) => index))
    const kept = segment.frames.filter((_, index) => !lost.has(index))
    // The file can be longer than its frames when cutting it back failed after a disk error.
    if (lost.size > 0 || (await stat(segment.path)).size > segment.bytes) {
      segment.frames = await keepFrames(segment.path, kept)
      segment.bytes = segment.frames.at(-1)?.end ?? 0
      this.stats.droppedBatches += lost.size
      this.#parts.log.info({ segment: segment.id, batches: lost.size }, 'repeated batches were dropped')
    }
    return segment.frames
  }

  /** Quota and redaction counters; a segment counted twice counts once. */
  async #count(segmentId: string, frames: readonly Frame[]): Promise<void> {
    const { usage } = this.#parts.control
    const entries = frames.map(({ meta }) => ({
      projectId: meta.projectId,
      month: monthOf(meta.receivedMs),
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

function countRecords(frames: readonly Frame[]): number {
  return frames.reduce((sum, { meta }) => sum + meta.records, 0)
}

function countDays(frames: readonly Frame[]): { day: number; records: number }[] {
  const counts = new Map<number, number>()
  for (const { meta } of frames)
    for (const [day, records] of meta.days) counts.set(day, (counts.get(day) ?? 0) + records)
  return [...counts].sort(([a], [b]) => a - b).map(([day, records]) => ({ day, records }))
}

/** Null when a frame does not say. */
function countErrors(frames: readonly Frame[]): number | null {
  let errors = 0
  for (const { meta } of frames) {
    if (meta.errors === undefined) return null
    errors += meta.errors
  }
  return errors
}
