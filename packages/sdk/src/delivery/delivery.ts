/**
 * Sends the batches of the outbox to the service, and retries after trouble. A batch keeps its id over every attempt,
 * so an attempt whose answer was lost does no harm.
 */
import type { Platform, PostRequest } from '../platform.ts'
import { type Answer, judge, type Outcome } from './answer.ts'
import { type Batch, countRecords, halves } from './batch.ts'
import type { DropCounter } from './drop-counter.ts'
import { Outbox, type OutboxSettings } from './outbox.ts'
import type { DropReason } from './problem.ts'
import type { ProblemReporter } from './problem-reporter.ts'

export type DeliverySettings = OutboxSettings & { url: string; ingestKey: string; requestTimeoutMs: number }

export type FlushResult = {
  /** Everything logged before is on the service's disk. */
  ok: boolean
  /** Records that the service acknowledged during this flush. */
  delivered: number
  /** Records lost since the last flush, for whatever reason. */
  lost: number
  /** Records that are still being tried after the time-out. */
  pending: number
}

type DeliveryParts = { platform: Platform; drops: DropCounter; problems: ProblemReporter; onAccepted: () => void }

/** What ends the sending of a batch as it is. */
type Final = Exclude<Outcome, { kind: 'later' }>

/** Requests at once; one while there is trouble. */
export const MAX_IN_FLIGHT = 3
/** Smaller bodies do not gain by compression. */
const MIN_GZIP_BYTES = 1_024
/** The service recognises a batch for 24 hours; an older one could be stored twice. */
export const GIVE_UP_AFTER_MS = 23 * 3_600_000
/** A flush tries at once when the last attempt was this long ago. */
const FLUSH_RETRY_AFTER_MS = 1_000
/** Trouble is reported after this many failed attempts in a row. */
const FAILURES_UNTIL_REPORT = 3
const FIRST_BACKOFF_MS = 500
const LONGEST_BACKOFF_MS = 30_000

export class Delivery {
  readonly outbox: Outbox
  readonly #settings: DeliverySettings
  readonly #parts: DeliveryParts
  readonly #queue: Batch[] = []
  #inFlight = 0
  #failures = 0
  #sent = 0
  #retries = 0
  #isRefused = false
  #lastAttemptMs = 0
  /** While it is set nothing is sent. `isAsked`: the service named the time. */
  #pause: { cancel(): void; isAsked: boolean } | undefined

  constructor(settings: DeliverySettings, parts: DeliveryParts) {
    this.#settings = settings
    this.#parts = parts
    this.outbox = new Outbox(settings, parts.platform, (batch) => {
      this.#queue.push(batch)
      this.#pump()
    })
  }

  /** The last batch was refused or could not be delivered; the next one probably cannot either. */
  get isTroubled(): boolean {
    return this.#isRefused || this.#failures > 0
  }

  counts(): { sent: number; retries: number } {
    return { sent: this.#sent, retries: this.#retries }
  }

  /** Resolves when everything appended before is acknowledged or lost, or after the time-out. */
  async flush(timeoutMs: number): Promise<FlushResult> {
    this.outbox.seal()
    this.#retrySoon()
    const { delivered, pending } = await this.outbox.settled(timeoutMs)
    const lost = this.#parts.drops.takeSinceFlush()
    this.#parts.drops.tell()
    return { ok: pending === 0 && lost === 0, delivered, lost, pending }
  }

  /**
   * The answer to a batch that was sent another way, at the end of the program: it means what it means to us. Returns the
   * batches that must be sent instead; they wait here as well. What may be sent again later stays as it is.
   */
  answered(batch: Batch, answer: Answer): readonly Batch[] {
    if (!this.outbox.has(batch)) return []
    const outcome = judge(answer, this.request(batch).url, this.#parts.platform.now())
    if (outcome.kind === 'later') return []
    const instead = this.#conclude(batch, outcome)
    this.#pump()
    return instead
  }

  /** Gives up on all that waits; returns how many records that was. */
  abandon(reason: DropReason): number {
    this.#pause?.cancel()
    this.#pause = undefined
    this.outbox.seal()
    const batches = this.outbox.batches()
    for (const batch of batches) this.#lose(batch, reason)
    return batches.reduce((records, batch) => records + batch.records, 0)
  }

  request(batch: Batch): Omit<PostRequest, 'timeoutMs'> {
    return {
      url: `${this.#settings.url}/v1/logs`,
      headers: {
        'content-type': 'application/x-ndjson',
        authorization: `Bearer ${this.#settings.ingestKey}`,
        'x-batch-id': batch.id,
      },
      body: batch.bytes,
    }
  }

  #pump(): void {
    const most = this.#failures > 0 ? 1 : MAX_IN_FLIGHT
    while (this.#pause === undefined && this.#inFlight < most && this.#queue.length > 0) {
      void this.#send(this.#queue.shift()!)
    }
  }

  async #send(batch: Batch): Promise<void> {
    this.#inFlight++
    if (batch.attempts++ > 0) this.#retries++
    this.#lastAttemptMs = this.#parts.platform.now()
    const failuresBefore = this.#failures
    const outcome = await this.#attempt(batch)
    this.#inFlight--
    // It may have been delivered another way, or given up, in the meantime.
    if (this.outbox.has(batch)) {
      if (outcome.kind === 'later') {
        // What was on its way together fails together: once in a row, not three times.
        this.#failures = Math.max(this.#failures, failuresBefore + 1)
        this.#tryLater(batch, outcome)
      } else {
        this.#conclude(batch, outcome)
        if (outcome.kind === 'accepted') this.#parts.onAccepted()
      }
    }
    this.#pump()
  }

  async #attempt(batch: Batch): Promise<Outcome> {
    const { url, headers } = this.request(batch)
    const { gzip, post } = this.#parts.platform
    try {
      const packed = batch.bytes.length < MIN_GZIP_BYTES ? undefined : await gzip?.(batch.bytes)
      const answer = await post({
        url,
        headers: packed === undefined ? headers : { ...headers, 'content-encoding': 'gzip' },
        body: packed ?? batch.bytes,
        timeoutMs: this.#settings.requestTimeoutMs,
      })
      return judge(answer, url, this.#parts.platform.now())
    } catch (error) {
      return { kind: 'later', afterMs: null, reason: `${url} cannot be reached (${wordsOf(error)})` }
    }
  }

  /** The batch as it was sent is done with. Returns those that stand in for it; they are in the queue. */
  #conclude(batch: Batch, outcome: Final): readonly Batch[] {
    this.#failures = 0
    this.#isRefused = outcome.kind === 'refused' || (outcome.kind === 'rename' && batch.isRenamed)
    if (outcome.kind === 'accepted') {
      this.#accepted(batch, outcome.rejected)
      return []
    }
    if (outcome.kind === 'split') return this.#split(batch, outcome.reason)
    // None of it was stored. Once is enough: a fresh id that is taken as well is trouble of another kind.
    if (outcome.kind === 'rename' && !batch.isRenamed) return this.#replace(batch, [this.outbox.renamed(batch)])
    this.#lose(batch, 'refused')
    const lost = batch.records === 1 ? '1 record was refused and is' : `${batch.records} records were refused and are`
    const message = `${lost} lost. ${outcome.reason}`
    this.#parts.problems.report({ code: outcome.kind === 'refused' ? outcome.code : 'not_accepted', message })
    return []
  }

  /** The service has the batch, no matter which way it was sent, except for the records that it rejected. */
  #accepted(batch: Batch, rejected: { reason: string }[]): void {
    const { problems, drops } = this.#parts
    const accepted = Math.max(batch.records - rejected.length, 0)
    this.#sent += accepted
    this.#settle(batch, accepted)
    problems.clear()
    if (rejected.length === 0) return
    drops.add('rejected', rejected.length)
    const all = batch.records === 1 ? '1 record' : `${batch.records} records`
    const message = `The service rejected ${rejected.length} of ${all}. First reason: ${rejected[0]?.reason}`
    problems.report({ code: 'records_rejected', message })
  }

  #tryLater(batch: Batch, { afterMs, reason }: Extract<Outcome, { kind: 'later' }>): void {
    if (this.#parts.platform.now() - batch.sealedAtMs > GIVE_UP_AFTER_MS) this.#lose(batch, 'expired')
    else this.#queue.unshift(batch)
    if (this.#failures >= FAILURES_UNTIL_REPORT) {
      const message = `${reason}. Records wait in memory, at most ${this.#settings.maxBufferBytes.toLocaleString('en-US')} bytes, and are tried again.`
      this.#parts.problems.report({ code: afterMs === null ? 'unreachable' : 'busy', message })
    }
    // The time that the service named holds, whatever happens to other requests.
    if (afterMs === null && this.#pause?.isAsked) return
    this.#pause?.cancel()
    const delayMs = afterMs ?? backoffMs(this.#failures, Math.random)
    this.#pause = {
      cancel: this.#parts.platform.after(delayMs, () => this.#resume()),
      isAsked: afterMs !== null,
    }
  }

  #resume(): void {
    this.#pause?.cancel()
    this.#pause = undefined
    this.#pump()
  }

  /** Somebody waits: our own back-off is cut short, the time that the service named is not. */
  #retrySoon(): void {
    if (this.#pause === undefined || this.#pause.isAsked) return
    if (this.#parts.platform.now() - this.#lastAttemptMs >= FLUSH_RETRY_AFTER_MS) this.#resume()
  }

  #split(batch: Batch, reason: string): readonly Batch[] {
    const parts = halves(batch.bytes)
    if (parts === null) {
      this.#lose(batch, 'too_large')
      const message = `A record is too large and is lost. ${reason}`
      this.#parts.problems.report({ code: 'record_too_large', message })
      return []
    }
    // Nothing in a refused batch was stored, so the halves get their own ids.
    return this.#replace(
      batch,
      parts.map((bytes) => this.outbox.newBatch({ bytes, records: countRecords(bytes) })),
    )
  }

  #replace(batch: Batch, instead: readonly Batch[]): readonly Batch[] {
    this.outbox.replace(batch, instead)
    this.#takeOffQueue(batch)
    this.#queue.unshift(...instead)
    return instead
  }

  #lose(batch: Batch, reason: DropReason): void {
    this.#parts.drops.add(reason, batch.records)
    this.#settle(batch, 0)
  }

  #settle(batch: Batch, delivered: number): void {
    this.#takeOffQueue(batch)
    this.outbox.settle(batch, delivered)
  }

  /** It is there when it was sent another way. */
  #takeOffQueue(batch: Batch): void {
    const at = this.#queue.indexOf(batch)
    if (at !== -1) this.#queue.splice(at, 1)
  }
}

function wordsOf(error: unknown): string {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  return typeof code === 'string' ? code : typeof message === 'string' ? message : 'no answer'
}

/** How long to wait before the next attempt: twice as long each time, with jitter so that many senders do not come at once. */
function backoffMs(failures: number, random: () => number): number {
  const whole = Math.min(FIRST_BACKOFF_MS * 2 ** Math.min(failures - 1, 16), LONGEST_BACKOFF_MS)
  return whole / 2 + (random() * whole) / 2
}
