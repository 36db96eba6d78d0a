/** What holds for every format that records come in: what is counted of a batch, what it is known by, what is refused. */

import { createHash } from 'node:crypto'
import { MAX_REQUEST_DAYS } from '@tidemark/wire/limits'
import type { Retention } from '@tidemark/wire/retention'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { DAY_US } from '@tidemark/wire/time/units'
import { assertUtf8 } from '../../bytes/assert-utf8.ts'
import { AppError } from '../../errors.ts'
import { retentionOf } from '../../model/retention.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import type { RedactionSettings } from '../../redaction/settings.ts'
import { MAX_ROW_BYTES } from '../limits.ts'
import type { BatchContext } from '../record/finish-record.ts'
import type { Normalized } from '../record/normalize.ts'
import type { RecordSink } from '../record/record-sink.ts'

/**
 * Bytes in, records out. Pure and synchronous, so that it runs inside a worker or inline; both sides are plain data that
 * can cross a thread. Trouble with the request as a whole is thrown as an AppError, trouble with one record is a value.
 */
export type BatchInput = {
  body: Uint8Array
  /** Raw header values, empty when absent. */
  contentType: string
  contentEncoding: string
  /** Arrival, in microseconds. */
  receivedUs: number
  project: { defaultEnvironment: string } & Retention
  redaction: RedactionSettings
  /** Whether the sender named the batch: only then are its bytes compared with others. */
  isNamed?: boolean
}

export type ReadBatch = {
  protocol: 'json' | 'ndjson' | 'otlp-json' | 'otlp-protobuf' | 'sender'
  /** `projectApiKey` of a JSON object. */
  bodyKey: string | null
  /** Records sent: accepted and rejected. */
  total: number
  accepted: number
  /** How many of the accepted lie on each day, counted from 1970. */
  days: Map<number, number>
  /** `index` counts the records of the request from 0, in the order they were sent. */
  rejected: { index: number; reason: string }[]
  /** How often each rule redacted something. */
  redactions: Record<string, number>
  /** Size of the body after inflation, and `spreadBytes`. */
  rawBytes: number
  /** What was sent once and is stored with several records: a resource, a scope, the labels of a Loki stream. */
  spreadBytes: number
  /** What a named batch is recognised by: the inflated bytes, how they were read, and how many records were accepted. */
  digest: string
  /** Equal bytes hold the same records, because each record in them has an identity of its own. */
  isNamedByBytes?: boolean
  /** What each entry of an Elasticsearch bulk asked for, in order. */
  actions?: BulkAction[]
}

export type BulkAction = { action: 'index' | 'create' | 'update' | 'delete'; index: string; id: string | null }

/** `read` fills the batch and returns the inflated bytes; `readAs` tells equal bytes apart. */
export function fillBatch(
  input: BatchInput,
  sink: RecordSink,
  read: (batch: ReadBatch, context: BatchContext) => Uint8Array,
  readAs = '',
): ReadBatch {
  const context: BatchContext = {
    receivedUs: input.receivedUs,
    defaultEnvironment: input.project.defaultEnvironment,
    ...retentionOf(input.project),
    needsCleaning: false,
    redaction: compileRedaction(input.redaction),
    redactionCounts: new Map(),
  }
  const batch: ReadBatch = {
    protocol: 'json',
    total: 0,
    ...noRecords(),
    redactions: {},
    rawBytes: 0,
    spreadBytes: 0,
    digest: '',
  }
  const bytes = read(batch, context)
  batch.rawBytes = bytes.length + batch.spreadBytes
  if (sink.isFull) throw tooManyRowBytes()
  refuseManyDays(batch.days)
  batch.redactions = Object.fromEntries(context.redactionCounts)
  if (input.isNamed) batch.digest = digestOf(batch, readAs, bytes)
  return batch
}

/** The number of accepted records is part of it, so that a repeated batch gets the same answer. */
function digestOf({ protocol, accepted }: ReadBatch, readAs: string, bytes: Uint8Array): string {
  return createHash('sha256').update(`${protocol} ${accepted}\n${readAs}`).update(bytes).digest('base64url')
}

/** The bytes of a text, known to be UTF-8. Not as a buffer, whose parts cost several times as much to make. */
export function textBytes(body: Uint8Array): Uint8Array {
  const markBytes = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  const bytes = new Uint8Array(body.buffer, body.byteOffset + markBytes, body.length - markBytes)
  assertUtf8(bytes)
  return bytes
}

/** Whether all records were read; when not, those that were are forgotten. */
export function isAll(total: number | null, batch: ReadBatch, context: BatchContext, sink: RecordSink): boolean {
  if (total === null) {
    Object.assign(batch, noRecords())
    context.redactionCounts.clear()
    sink.clear()
    return false
  }
  batch.total = total
  return true
}

/** A record into the sink, or the reason why there is none into the batch. */
export function add(batch: ReadBatch, index: number, result: Normalized, sink: RecordSink): void {
  if (typeof result === 'string') {
    batch.rejected.push({ index, reason: result })
  } else {
    count(batch, result.timeUs)
    sink.record(result)
  }
}

function noRecords(): Pick<ReadBatch, 'bodyKey' | 'accepted' | 'days' | 'rejected'> {
  return { bodyKey: null, accepted: 0, days: new Map(), rejected: [] }
}

export function count(batch: ReadBatch, timeUs: number): void {
  const day = Math.floor(timeUs / DAY_US)
  batch.days.set(day, (batch.days.get(day) ?? 0) + 1)
  batch.accepted++
}

/** Nested attributes are stored under their whole names, and the stack in a message is stored as the error's as well. */
function tooManyRowBytes(): AppError {
  return new AppError(
    'body_too_large',
    `The records of this request take more than ${sizeWords(MAX_ROW_BYTES)} where they are stored, with the whole names of nested attributes. Send fewer records per request, or shorter attribute names.`,
  )
}

function refuseManyDays(days: ReadonlyMap<number, number>): void {
  if (days.size <= MAX_REQUEST_DAYS) return
  throw new AppError(
    'invalid_request',
    `The records lie on ${days.size} different UTC days; at most ${MAX_REQUEST_DAYS} are allowed in a request. Send older records in separate batches.`,
  )
}
