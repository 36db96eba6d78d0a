import { createHash } from 'node:crypto'
import { MAX_REQUEST_DAYS } from '@tidemark/wire/limits'
import { DAY_US } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import type { LogRecord } from '../../model/log-record.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import type { RedactionSettings } from '../../redaction/settings.ts'
import { MAX_RECORDS } from '../limits.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { createNormalizer, type Normalized } from '../record/normalize.ts'
import { assertUtf8 } from './assert-utf8.ts'
import { inflate } from './inflate.ts'
import { type MediaType, mediaTypeOf } from './media-type.ts'
import { createOtlpNormalizer, type OtlpGroup } from './otlp-record.ts'
import { parseJson } from './parse-json.ts'
import { parseNdjson, tooManyRecords } from './parse-ndjson.ts'
import { parseOtlpJson } from './parse-otlp-json.ts'
import { parseOtlpProtobuf } from './parse-otlp-protobuf.ts'
import { type JsonScan, quoteChangedNumbers, scanJson } from './scan-json.ts'

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
  project: { defaultEnvironment: string; retentionDays: number }
  redaction: RedactionSettings
  /** Whether the sender named the batch: only then are its bytes compared with others. */
  isNamed?: boolean
}

export type ReadBatch = {
  protocol: 'json' | 'ndjson' | 'otlp-json' | 'otlp-protobuf'
  /** Records sent: accepted and rejected. */
  total: number
  records: LogRecord[]
  /** `index` counts the records of the request from 0, in the order they were sent. */
  rejected: { index: number; reason: string }[]
  /** How often each rule hid something. */
  redactions: Record<string, number>
  /** Size of the body after inflation. */
  rawBytes: number
  /** What a named batch is recognised by: the inflated bytes, how they were read, and how many records were accepted. */
  digest: string
}

export function readBatch(input: BatchInput): ReadBatch {
  const context: BatchContext = {
    receivedUs: input.receivedUs,
    defaultEnvironment: input.project.defaultEnvironment,
    retentionDays: input.project.retentionDays,
    needsCleaning: false,
    redaction: compileRedaction(input.redaction),
    redactionCounts: new Map(),
  }
  const batch: ReadBatch = {
    protocol: 'json',
    total: 0,
    records: [],
    rejected: [],
    redactions: {},
    rawBytes: 0,
    digest: '',
  }
  const mediaType = mediaTypeOf(input.contentType)
  const bytes = inflate(input.body, input.contentEncoding)
  batch.rawBytes = bytes.length
  if (mediaType === 'protobuf') {
    batch.protocol = 'otlp-protobuf'
    const { groups, hasNul } = parseOtlpProtobuf(bytes)
    context.needsCleaning = hasNul
    addOtlp(batch, groups, context)
  } else {
    const document = openText(bytes, mediaType)
    context.needsCleaning = document.scan.hasSuspectEscapes
    if (document.lines) addLines(batch, document.text, context)
    else addDocument(batch, document.text, context)
  }
  refuseManyDays(batch.records)
  batch.redactions = Object.fromEntries(context.redactionCounts)
  if (input.isNamed) batch.digest = digestOf(batch, bytes)
  return batch
}

/** The number of accepted records is part of it, so that a repeated batch gets the same answer. */
function digestOf({ protocol, records }: ReadBatch, bytes: Uint8Array): string {
  return createHash('sha256').update(`${protocol} ${records.length}\n`).update(bytes).digest('base64url')
}

/** `projectApiKey` of a JSON object body, for senders that cannot set headers. Null when the body has none. */
export function readProjectKey(input: Pick<BatchInput, 'body' | 'contentType' | 'contentEncoding'>): string | null {
  const mediaType = mediaTypeOf(input.contentType)
  if (mediaType === 'protobuf' || mediaType === 'ndjson') return null
  const document = openText(inflate(input.body, input.contentEncoding), mediaType)
  if (document.lines || !/^\s*\{/.test(document.text)) return null
  const parsed = parseJson(document.text)
  return parsed.protocol === 'json' ? parsed.projectKey : null
}

type TextDocument = { text: string; lines: boolean; scan: JsonScan }

/** Text that is safe to parse, and whether it is one document or one per line. */
function openText(body: Uint8Array, mediaType: MediaType): TextDocument {
  const bytes = withoutByteOrderMark(body)
  assertUtf8(bytes)
  let lines = mediaType === 'ndjson'
  let scan = scanJson(bytes, { lines })
  // Several values side by side are lines under the wrong type; so is text of unknown type that is not a JSON document.
  if (!lines && (scan.topLevelValues > 1 || (mediaType === 'guess' && scan.topLevelValues === 0))) {
    lines = true
    scan = scanJson(bytes, { lines })
  }
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return { text: scan.hasDoubtfulNumbers ? quoteChangedNumbers(text) : text, lines, scan }
}

function withoutByteOrderMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes
}

function addLines(batch: ReadBatch, text: string, context: BatchContext): void {
  const normalize = createNormalizer(context)
  batch.protocol = 'ndjson'
  batch.total = parseNdjson(
    text,
    (value, index) => add(batch, index, normalize(value)),
    (reason, index) => batch.rejected.push({ index, reason }),
  )
}

function addDocument(batch: ReadBatch, text: string, context: BatchContext): void {
  const document = parseJson(text)
  batch.protocol = document.protocol
  if (document.protocol === 'otlp-json') {
    addOtlp(batch, parseOtlpJson(document.request), context)
    return
  }
  if (document.entries.length > MAX_RECORDS) throw tooManyRecords()
  const normalize = createNormalizer(context)
  for (const entry of document.entries) add(batch, batch.total++, normalize(entry))
}

function addOtlp(batch: ReadBatch, groups: OtlpGroup[], context: BatchContext): void {
  const count = groups.reduce((sum, group) => sum + group.records.length, 0)
  if (count > MAX_RECORDS) throw tooManyRecords()
  const normalize = createOtlpNormalizer(context)
  for (const group of groups) {
    for (const record of group.records) add(batch, batch.total++, normalize(record, group))
  }
}

function add(batch: ReadBatch, index: number, result: Normalized): void {
  if (typeof result === 'string') batch.rejected.push({ index, reason: result })
  else batch.records.push(result)
}

function refuseManyDays(records: readonly LogRecord[]): void {
  const days = new Set<number>()
  for (const record of records) days.add(Math.floor(record.timeUs / DAY_US))
  if (days.size <= MAX_REQUEST_DAYS) return
  throw new AppError(
    'invalid_request',
    `The records lie on ${days.size} different UTC days; at most ${MAX_REQUEST_DAYS} are allowed in a request. Send older records in separate batches.`,
  )
}
