/**
 * A journal as it is uploaded: entries are stored batch by batch while the request runs, and reading stops meanwhile, so
 * what is held is one batch. Where a batch ends depends on the bytes alone, never on time, and mostly on those of its last
 * entry: an uploader that was cut off begins again, makes the same batches, and those that are stored are recognised. For
 * the same reason nothing is kept of a batch that was not full when the connection broke: it comes again, as another one.
 */
import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import { AppError, isRetryable } from '../../errors.ts'
import type { Accept } from '../../ingest/door/accept.ts'
import { bytesPerSecondOf, LEAST_MESSAGE_BYTES } from '../../ingest/limits.ts'
import { framed } from '../../ingest/senders/framed.ts'
import { EntrySplitter } from '../../ingest/senders/journald/entry-splitter.ts'
import type { KeyCaller } from '../../model/caller.ts'
import { pause } from '../../pause.ts'
import { RECHECK_AFTER_MS, rechecking } from '../../verbs/access.ts'
import { MAX_REASONS } from '../request/first-reasons.ts'
import type { JournalSlot } from './journal-slots.ts'
import { watchedChunks } from './watched-chunks.ts'

/** How an upload is cut into batches, and how long it may wait or be waited for. */
export type JournalPace = {
  /** A batch is full when it has this many entries, this many bytes, or what its key may send in this time … */
  batchEntries: number
  batchBytes: number
  batchSeconds: number
  /** … and before that, after about one in this many entries: those whose own bytes say so, wherever they stand. */
  entriesPerEnd: number
  /** An upload that brings neither an entry nor this many bytes for this long is refused with 408. */
  haltMs: number
  leastBytes: number
  /** What was received and came into no batch is charged whenever it is this much. */
  chargeBytes: number
  /** One whose key was revoked is refused after this long, whether or not something comes. */
  recheckMs: number
  /**
   * While there is no room, or the rate is used up, the uploader waits; after this long it is told. Its own watchdog ends
   * it after three minutes.
   */
  waitMs: number
  retryMs: number
}

export const JOURNAL_PACE: JournalPace = {
  batchEntries: 2_000,
  batchBytes: 1024 * 1024,
  batchSeconds: 30,
  entriesPerEnd: 256,
  haltMs: 60_000,
  leastBytes: 64 * 1024,
  chargeBytes: 1024 * 1024,
  recheckMs: RECHECK_AFTER_MS,
  waitMs: 60_000,
  retryMs: 5_000,
}

export type TakenJournal = { total: number; accepted: number; rejected: { index: number; reason: string }[] }

type Parts = {
  accept: Pick<Accept, 'requireKey' | 'batch' | 'owe' | 'checkDebt'>
  caller: KeyCaller
  headers: IncomingHttpHeaders
  slot: Pick<JournalSlot, 'hold'>
  stopping: AbortSignal
  pace: JournalPace
  /** The first error that is not the sender's doing. The entry it cost is counted as rejected. */
  failed: (cause: unknown) => void
  /** Milliseconds of a clock that never goes back. */
  now: () => number
}

/** Resolves once all entries are on disk or rejected. On an error those of the batches before it are stored. */
export async function takeJournal(body: Readable, parts: Parts): Promise<TakenJournal> {
  const { accept, caller, headers, slot, stopping, pace, now } = parts
  const taken: TakenJournal = { total: 0, accepted: 0, rejected: [] }
  const splitter = new EntrySplitter()
  const recheck = rechecking(() => accept.requireKey(headers), now, pace.recheckMs)
  const batchCost = Math.min(pace.batchBytes, pace.batchSeconds * bytesPerSecondOf(caller.project))
  let batch = newBatch()
  /** Received, and neither in a batch that was written nor charged. */
  let unpaidBytes = 0
  /** Since the last entry, or the last `leastBytes`. */
  let halt = { waitedMs: 0, bytes: 0 }

  const write = async () => {
    const { entries, bytes } = batch
    await writeEntries(entries, parts, taken)
    batch = newBatch()
    unpaidBytes = Math.max(0, unpaidBytes - bytes)
  }
  const take = (entry: Buffer) => {
    batch.entries.push(entry)
    batch.bytes += entry.length
    batch.cost += Math.max(entry.length, LEAST_MESSAGE_BYTES)
    halt = { waitedMs: 0, bytes: 0 }
  }
  const isFull = (last: Buffer) =>
    batch.entries.length >= pace.batchEntries || batch.cost >= batchCost || endsBatch(last, pace)
  const check = async (waitedMs: number) => {
    if (stopping.aborted) {
      throw new AppError('unavailable', 'The service is stopping: send what was not stored again shortly.')
    }
    if (halt.waitedMs + waitedMs >= pace.haltMs) {
      throw new AppError('request_timeout', 'The upload has come to a halt: send the rest again.')
    }
    await recheck()
  }
  const payForPassedOver = async (heldBytes: number) => {
    const bytes = unpaidBytes - heldBytes
    if (bytes < pace.chargeBytes) return
    unpaidBytes -= bytes
    accept.owe(caller, bytes)
    await waiting(async () => accept.checkDebt(await accept.requireKey(headers)), parts)
  }

  try {
    const watch = { check, everyMs: pace.recheckMs, stopping, now }
    for await (const { chunk, waitedMs } of watchedChunks(body, watch)) {
      unpaidBytes += chunk.length
      halt = { waitedMs: halt.waitedMs + waitedMs, bytes: halt.bytes + chunk.length }
      if (halt.bytes >= pace.leastBytes) halt = { waitedMs: 0, bytes: 0 }
      for (const entry of splitter.push(chunk)) {
        take(entry)
        if (isFull(entry)) await write()
      }
      const heldBytes = batch.bytes + splitter.heldBytes
      slot.hold(heldBytes)
      await payForPassedOver(heldBytes)
    }
    const last = splitter.end()
    if (last !== undefined) take(last)
    await write()
    return taken
  } finally {
    if (unpaidBytes > 0) accept.owe(caller, unpaidBytes)
  }
}

const newBatch = () => ({ entries: [] as Buffer[], bytes: 0, cost: 0 })

/** By a hash of its beginning, where its cursor stands: FNV-1a, of which the upper bits are the better ones. */
function endsBatch(entry: Buffer, { entriesPerEnd }: JournalPace): boolean {
  const end = Math.min(entry.length, 256)
  let hash = 0x811c9dc5
  for (let at = 0; at < end; at++) hash = Math.imul(hash ^ entry[at]!, 0x01000193)
  return (hash >>> 16) % entriesPerEnd === 0
}

/** What spoils a batch, such as times of too many days, is found by halving it, and costs no entry but its own. */
async function writeEntries(entries: Buffer[], parts: Parts, taken: TakenJournal): Promise<void> {
  if (entries.length === 0) return
  try {
    const { accepted, rejected } = await writeWaiting(entries, parts)
    for (const { index, reason } of rejected) note(taken, taken.total + index, reason)
    taken.total += entries.length
    taken.accepted += accepted
  } catch (error) {
    const isOfEntries = error instanceof AppError && OF_ENTRIES.has(error.code)
    if (!isOfEntries) throw error
    if (entries.length === 1) {
      if (error.code === 'internal') parts.failed(error.cause)
      note(taken, taken.total++, error.message)
      return
    }
    const middle = entries.length >> 1
    await writeEntries(entries.slice(0, middle), parts, taken)
    await writeEntries(entries.slice(middle), parts, taken)
  }
}

/** Errors that the same entries would bring again. `internal` is a bug that they show: their sender would go on for ever. */
const OF_ENTRIES = new Set<string>(['invalid_request', 'body_too_large', 'internal'])

/** The key is looked up for each batch: one that was revoked ends the upload. */
function writeWaiting(entries: Buffer[], parts: Parts) {
  const { accept, headers } = parts
  return waiting(async () => {
    const caller = await accept.requireKey(headers)
    // Put together for each attempt: its bytes are given away with it.
    return accept.batch(caller, {}, framed(entries), { protocol: 'journald' })
  }, parts)
}

async function waiting<Result>(attempt: () => Promise<Result>, { stopping, pace, now }: Parts): Promise<Result> {
  const giveUpAt = now() + pace.waitMs
  for (;;) {
    try {
      return await attempt()
    } catch (error) {
      if (!isRetryable(error)) throw error
      const waitMs = Math.min(pace.retryMs, (error.retryAfterSeconds ?? 1) * 1_000)
      // The month of a quota may have weeks to go.
      const isHopeless = error.code === 'quota_exceeded' || now() + waitMs > giveUpAt
      if (isHopeless || stopping.aborted) throw error
      await pause(waitMs, stopping)
    }
  }
}

/** The answer names the first few: an upload may have millions. */
function note({ rejected }: TakenJournal, index: number, reason: string): void {
  if (rejected.length < MAX_REASONS) rejected.push({ index, reason })
}
