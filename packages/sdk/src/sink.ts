/**
 * Where records go in: they get what the options and the context add, are shown to `beforeSend`, encoded, and passed to
 * the delivery. Loggers, the pino transport and the winston transport are all built on one of these. No method throws.
 */
import { Delivery, type FlushResult } from './delivery/delivery.ts'
import { DropCounter, sum } from './delivery/drop-counter.ts'
import type { DropReason, TidemarkProblem } from './delivery/problem.ts'
import { createProblemReporter } from './delivery/problem-reporter.ts'
import type { TidemarkOptions } from './options.ts'
import type { EndOfProgram, Platform } from './platform.ts'
import { createRecordCompleter } from './record/complete-record.ts'
import { createRecordEncoder } from './record/encode-record.ts'
import type { LogRecord } from './record/record.ts'
import { joinAttributes } from './record/record-fields.ts'
import { resolveOptions } from './resolve-options.ts'

export type Stats = {
  /** Records that wait or are being sent, and their bytes. */
  queued: number
  queuedBytes: number
  /** Records that the service acknowledged. */
  sent: number
  retries: number
  /** Records that are lost, in all and by reason. */
  dropped: number
  droppedBy: Partial<Record<DropReason, number>>
  lastProblem: TidemarkProblem | undefined
}

export type Sink = {
  readonly minimumRank: number
  /** False when a record would only be counted: the caller need not build it. */
  takes(isError: boolean): boolean
  /** A record without a message gets one that is made of the rest. */
  write(record: LogRecord, isError: boolean): void
  /** The time in microseconds, those of one millisecond numbered in the order they were asked for. */
  timeUs(timeMs?: number): number
  /** A record that cannot be read is lost, counted and reported. */
  unreadable(cause: unknown): void
  /** So is one whose line is longer than somebody was willing to read. */
  tooLong(maxCharacters: number): void
  flush(timeoutMs?: number): Promise<FlushResult>
  close(timeoutMs?: number): Promise<FlushResult>
  stats(): Stats
}

const FLUSH_TIMEOUT_MS = 30_000
/** Less than the ten seconds after which pino gives up on a transport. */
export const CLOSE_TIMEOUT_MS = 5_000
/** A record that reports lost ones is sent at most this often. */
const TELL_LOSSES_EVERY_MS = 10_000

export function createSink(options: TidemarkOptions, platform: Platform, { watchesEnd = true } = {}): Sink {
  const onError = options.onError ?? (({ message }: TidemarkProblem) => platform.warn(`tidemark: ${message}`))
  const problems = createProblemReporter(onError, platform.now)
  const settings = resolveOptions(options, platform, problems.report)
  const drops = new DropCounter({ after: platform.after, onDrop: options.onDrop })
  const complete = createRecordCompleter(options, platform.contexts)
  const encode = createRecordEncoder(settings.defaults)
  const clock = createMicrosecondClock()
  const delivery = new Delivery(settings, { platform, drops, problems, onAccepted: () => tellLosses(false) })
  const { outbox } = delivery
  let isClosed = false
  let toldAtMs = 0
  let cancelTelling: (() => void) | undefined

  /** One record with the sum, once there is room for it. `isDue`: however short a time ago the last one was. */
  function tellLosses(isDue: boolean): void {
    if (!drops.hasUnrecorded || !outbox.hasRoom(false) || delivery.isTroubled) return
    const waitMs = toldAtMs + TELL_LOSSES_EVERY_MS - platform.now()
    if (waitMs > 0 && !isDue) {
      cancelTelling ??= platform.after(waitMs, () => tellLosses(true))
      return
    }
    cancelTelling?.()
    cancelTelling = undefined
    toldAtMs = platform.now()
    const droppedBy = drops.takeUnrecorded()
    const dropped = sum(droppedBy)
    const message =
      dropped === 1
        ? '1 record was lost before it could be sent'
        : `${dropped} records were lost before they could be sent`
    const attributes = joinAttributes(options.attributes, { dropped, droppedBy })
    outbox.append(
      encode({ timeUs: clock(platform.now()), level: 'warn', logger: '@tidemark/sdk', message, attributes }),
      true,
    )
  }

  function drop(reason: DropReason): void {
    drops.add(reason, 1)
    if (reason === 'buffer_full' && !problems.hasSaid('buffer_full')) {
      const message = `The buffer of ${settings.maxBufferBytes} bytes (maxBufferBytes) is full: records are dropped until the service accepts some.`
      problems.report({ code: 'buffer_full', message })
    } else if (reason === 'closed' && !problems.hasSaid('closed')) {
      problems.report({ code: 'closed', message: 'Records that are logged after close() are not sent.' })
    }
  }

  function shown(record: LogRecord): LogRecord | null {
    if (options.beforeSend === undefined) return record
    try {
      return options.beforeSend(record)
    } catch (cause) {
      // It may be there to hide something, so the record must not go out without it.
      drop('failed')
      problems.report({ code: 'before_send_failed', message: 'beforeSend threw: the record is not sent.', cause })
      return null
    }
  }

  const end: EndOfProgram = {
    timeoutMs: settings.exitTimeoutMs,
    pendingRecords: () => outbox.records,
    flush(timeoutMs) {
      tellLosses(true)
      return delivery.flush(timeoutMs)
    },
    takeOut() {
      tellLosses(true)
      outbox.seal()
      return { batches: outbox.batches(), request: (batch) => delivery.request(batch) }
    },
    answered: (batch, answer) => delivery.answered(batch, answer),
    giveUp() {
      const records = delivery.abandon('exit')
      drops.tell()
      if (records === 0) return
      const lost = records === 1 ? '1 record' : `${records} records`
      const are = records === 1 ? 'is' : 'are'
      const message = `${lost} could not be sent before the program ended and ${are} lost. Await flush() before the end.`
      problems.report({ code: 'lost_at_exit', message })
    },
  }
  const stopWatchingEnd = watchesEnd && settings.isEnabled ? platform.watchEnd(end) : () => {}

  return {
    minimumRank: settings.minimumRank,
    takes(isError) {
      if (settings.isEnabled && !isClosed && outbox.hasRoom(isError)) return true
      drop(isClosed ? 'closed' : settings.isEnabled ? 'buffer_full' : 'no_key')
      return false
    },
    write(record, isError) {
      try {
        const wanted = shown(complete(record))
        if (wanted !== null && !outbox.append(encode(wanted), isError)) drop('buffer_full')
      } catch (cause) {
        drop('failed')
        problems.report({ code: 'internal', message: 'A record could not be encoded and is lost.', cause })
      }
    },
    timeUs: (timeMs = platform.now()) => clock(timeMs),
    unreadable(cause) {
      drop('failed')
      problems.report({ code: 'internal', message: 'A record could not be read and is lost.', cause })
    },
    tooLong(maxCharacters) {
      drop('too_large')
      const message = `A line of more than ${maxCharacters} characters is lost. Log less at once.`
      problems.report({ code: 'record_too_large', message })
    },
    flush(timeoutMs = FLUSH_TIMEOUT_MS) {
      tellLosses(true)
      return delivery.flush(timeoutMs)
    },
    async close(timeoutMs = CLOSE_TIMEOUT_MS) {
      const giveUpAtMs = platform.now() + timeoutMs
      isClosed = true
      tellLosses(true)
      const result = await delivery.flush(timeoutMs)
      // What found no room before may now have some, and what was answered last may have been rejected.
      if (result.pending === 0 && (drops.hasUnrecorded || outbox.records > 0)) {
        tellLosses(true)
        await delivery.flush(Math.max(giveUpAtMs - platform.now(), 0))
      }
      stopWatchingEnd()
      cancelTelling?.()
      if (delivery.abandon('closed') > 0) drops.tell()
      return result
    },
    stats: () => ({
      queued: outbox.records,
      queuedBytes: outbox.bytes,
      ...delivery.counts(),
      ...drops.total(),
      lastProblem: problems.last(),
    }),
  }
}

/**
 * The service orders records by their microsecond. Clocks have milliseconds, so the records of one millisecond are numbered
 * in the microseconds: their order is kept, and none is moved to another millisecond.
 */
function createMicrosecondClock(): (timeMs: number) => number {
  let lastMs = 0
  let within = 0
  return (timeMs) => {
    if (timeMs !== lastMs) {
      lastMs = timeMs
      within = 0
    } else if (within < 999) within++
    return Math.round(timeMs * 1_000) + within
  }
}
