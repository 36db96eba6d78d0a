import { createHash } from 'node:crypto'
import { MAX_REQUEST_DAYS } from '@tidemark/wire/limits'
import type { Retention } from '@tidemark/wire/retention'
import { DAY_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import { retentionOf } from '../../model/retention.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import type { RedactionSettings } from '../../redaction/settings.ts'
import { MAX_RECORDS, MAX_ROW_BYTES } from '../limits.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { createNormalizer, type Normalized } from '../record/normalize.ts'
import type { RecordSink } from '../record/record-sink.ts'
import { tooMuchShared } from '../record/shared-bytes.ts'
import { assertUtf8 } from './assert-utf8.ts'
import { inflate } from './inflate.ts'
import { type MediaType, mediaTypeOf } from './media-type.ts'
import { OtlpNormalizer } from './otlp-record.ts'
import { checkedText } from './parse-checked.ts'
import { parseJson } from './parse-json.ts'
import { parseOtlpJson } from './parse-otlp-json.ts'
import { readOtlpProtobuf } from './parse-otlp-protobuf.ts'
import { readArray } from './read-array.ts'
import { readLines } from './read-lines.ts'
import { readOtlpJson } from './read-otlp-json.ts'
import { type JsonScan, scanJson } from './scan-json.ts'
import { tooManyRecords } from './too-many-records.ts'

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
  /** Records sent: accepted and rejected. */
  total: number
  accepted: number
  /** How many of the accepted lie on each day, counted from 1970. */
  days: Map<number, number>
  /** `index` counts the records of the request from 0, in the order they were sent. */
  rejected: { index: number; reason: string }[]
  /** How often each rule hid something. */
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

/** The accepted records go into the sink, in the order they were sent. */
export function readBatch(input: BatchInput, sink: RecordSink): ReadBatch {
  return readWith(input, sink, (batch, context) => {
    const mediaType = mediaTypeOf(input.contentType)
    const bytes = inflate(input.body, input.contentEncoding)
    if (mediaType === 'protobuf') {
      batch.protocol = 'otlp-protobuf'
      addOtlpProtobuf(batch, new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length), context, sink)
    } else {
      addText(batch, textBytes(bytes), mediaType, context, sink)
    }
    return bytes
  })
}

/** What holds for every format. `read` fills the batch and returns the inflated bytes; `readAs` tells equal bytes apart. */
export function readWith(
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

/** `projectApiKey` of a JSON object body, for senders that cannot set headers. Null when the body has none. */
export function readProjectKey(input: Pick<BatchInput, 'body' | 'contentType' | 'contentEncoding'>): string | null {
  const mediaType = mediaTypeOf(input.contentType)
  if (mediaType === 'protobuf' || mediaType === 'ndjson') return null
  const bytes = textBytes(inflate(input.body, input.contentEncoding))
  const scan = scanJson(bytes)
  if (isLines(scan, mediaType)) return null
  const text = checkedText(bytes, scan)
  if (!/^\s*\{/.test(text)) return null
  const parsed = parseJson(text)
  return parsed.protocol === 'json' ? parsed.projectKey : null
}

/** The bytes of a text, known to be UTF-8. Not as a buffer, whose parts cost several times as much to make. */
export function textBytes(body: Uint8Array): Uint8Array {
  const markBytes = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0
  const bytes = new Uint8Array(body.buffer, body.byteOffset + markBytes, body.length - markBytes)
  assertUtf8(bytes)
  return bytes
}

/** Several values side by side are lines under the wrong type; so is text of unknown type that is not a JSON document. */
function isLines({ topLevelValues }: JsonScan, mediaType: MediaType): boolean {
  return topLevelValues > 1 || (mediaType === 'guess' && topLevelValues === 0)
}

function addText(
  batch: ReadBatch,
  bytes: Uint8Array,
  mediaType: MediaType,
  context: BatchContext,
  sink: RecordSink,
): void {
  if (mediaType === 'ndjson') {
    addLines(batch, bytes, context, sink)
    return
  }
  if (addArray(batch, bytes, context, sink) || addOtlpRecords(batch, bytes, context, sink)) return
  const scan = scanJson(bytes)
  if (isLines(scan, mediaType)) addLines(batch, bytes, context, sink)
  else addDocument(batch, bytes, scan, context, sink)
}

function addLines(batch: ReadBatch, bytes: Uint8Array, context: BatchContext, sink: RecordSink): void {
  const normalize = createNormalizer(context)
  const fast = sink.fast?.json() ?? null
  batch.protocol = 'ndjson'
  batch.total = readLines(bytes, {
    fast,
    taken: () => count(batch, fast!.timeUs),
    entry: (value, index, hasSuspectEscapes) => {
      context.needsCleaning = hasSuspectEscapes
      add(batch, index, normalize(value), sink)
    },
    bad: (reason, index) => batch.rejected.push({ index, reason }),
  })
}

/** False when the document is something else; then nothing of it was kept. */
function addArray(batch: ReadBatch, bytes: Uint8Array, context: BatchContext, sink: RecordSink): boolean {
  if (sink.fast === null) return false
  const fast = sink.fast.json()
  const normalize = createNormalizer(context)
  const total = readArray(bytes, {
    fast,
    taken: () => count(batch, fast.timeUs),
    entry: (value, index, hasSuspectEscapes) => {
      context.needsCleaning = hasSuspectEscapes
      add(batch, index, normalize(value), sink)
    },
  })
  return isAll(total, batch, context, sink)
}

/** The same for a request of OTLP. */
function addOtlpRecords(batch: ReadBatch, bytes: Uint8Array, context: BatchContext, sink: RecordSink): boolean {
  if (sink.fast === null) return false
  const fast = sink.fast.otlpJson()
  const normalizer = new OtlpNormalizer(context)
  let index = 0
  const total = readOtlpJson(bytes, {
    fast,
    taken: (group) => {
      index++
      count(batch, fast.timeUs)
      return normalizer.count(group)
    },
    entry: (record, group, hasSuspectEscapes) => {
      context.needsCleaning = hasSuspectEscapes
      if (!normalizer.count(group)) return false
      add(batch, index++, normalizer.normalize(record, group), sink)
      return true
    },
  })
  if (!isAll(total, batch, context, sink)) return false
  batch.protocol = 'otlp-json'
  batch.spreadBytes = normalizer.sharedBytes
  return true
}

/** Whether all records were read; when not, those that were are forgotten. */
function isAll(total: number | null, batch: ReadBatch, context: BatchContext, sink: RecordSink): boolean {
  if (total === null) {
    Object.assign(batch, noRecords())
    context.redactionCounts.clear()
    sink.clear()
    return false
  }
  batch.total = total
  return true
}

function addDocument(
  batch: ReadBatch,
  bytes: Uint8Array,
  scan: JsonScan,
  context: BatchContext,
  sink: RecordSink,
): void {
  context.needsCleaning = scan.hasSuspectEscapes
  const document = parseJson(checkedText(bytes, scan))
  batch.protocol = document.protocol
  if (document.protocol === 'otlp-json') {
    addOtlpJson(batch, document.request, context, sink)
    return
  }
  if (document.entries.length > MAX_RECORDS) throw tooManyRecords()
  const normalize = createNormalizer(context)
  for (const entry of document.entries) add(batch, batch.total++, normalize(entry), sink)
}

function addOtlpProtobuf(batch: ReadBatch, bytes: Uint8Array, context: BatchContext, sink: RecordSink): void {
  const fast = sink.fast?.otlp() ?? null
  const normalizer = new OtlpNormalizer(context)
  readOtlpProtobuf(bytes, {
    fast,
    taken: (group) => {
      if (!normalizer.count(group)) throw tooMuchShared()
      batch.total++
      count(batch, fast!.timeUs)
    },
    entry: (record, group, hasNul) => {
      if (!normalizer.count(group)) throw tooMuchShared()
      context.needsCleaning = hasNul
      add(batch, batch.total++, normalizer.normalize(record, group), sink)
    },
  })
  batch.spreadBytes = normalizer.sharedBytes
}

function addOtlpJson(
  batch: ReadBatch,
  request: Record<string, unknown>,
  context: BatchContext,
  sink: RecordSink,
): void {
  const groups = parseOtlpJson(request)
  const count = groups.reduce((sum, group) => sum + group.records.length, 0)
  if (count > MAX_RECORDS) throw tooManyRecords()
  const normalizer = new OtlpNormalizer(context)
  // Before the first is read: a request that shares too much has been read up to its limit already, the fast way.
  for (const group of groups) {
    for (let record = 0; record < group.records.length; record++) if (!normalizer.count(group)) throw tooMuchShared()
  }
  for (const group of groups) {
    for (const record of group.records) add(batch, batch.total++, normalizer.normalize(record, group), sink)
  }
  batch.spreadBytes = normalizer.sharedBytes
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

function noRecords(): Pick<ReadBatch, 'accepted' | 'days' | 'rejected'> {
  return { accepted: 0, days: new Map(), rejected: [] }
}

function count(batch: ReadBatch, timeUs: number): void {
  const day = Math.floor(timeUs / DAY_US)
  batch.days.set(day, (batch.days.get(day) ?? 0) + 1)
  batch.accepted++
}

/** Nested attributes are stored under their whole names, and the stack in a message is stored as the error's as well. */
function tooManyRowBytes(): AppError {
  return new AppError(
    'body_too_large',
    `The records of this request take more than ${MAX_ROW_BYTES / 1024 ** 2} MiB where they are stored, with the whole names of nested attributes. Send fewer records per request, or shorter attribute names.`,
  )
}

function refuseManyDays(days: ReadonlyMap<number, number>): void {
  if (days.size <= MAX_REQUEST_DAYS) return
  throw new AppError(
    'invalid_request',
    `The records lie on ${days.size} different UTC days; at most ${MAX_REQUEST_DAYS} are allowed in a request. Send older records in separate batches.`,
  )
}
