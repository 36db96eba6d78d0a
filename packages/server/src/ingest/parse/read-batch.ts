import { inflate } from '../../bytes/inflate.ts'
import { type JsonScan, scanJson } from '../../bytes/scan-json.ts'
import { MAX_RECORDS } from '../limits.ts'
import type { BatchContext } from '../record/finish-record.ts'
import { createNormalizer } from '../record/normalize.ts'
import { OtlpNormalizer } from '../record/otlp-record.ts'
import type { RecordSink } from '../record/record-sink.ts'
import { tooMuchShared } from '../record/shared-bytes.ts'
import { add, type BatchInput, count, fillBatch, isAll, type ReadBatch, textBytes } from './fill-batch.ts'
import { type MediaType, mediaTypeOf } from './media-type.ts'
import { checkedText } from './parse-checked.ts'
import { parseJsonDocument } from './parse-json-document.ts'
import { parseOtlpJson } from './parse-otlp-json.ts'
import { createReaders } from './program-lines.ts'
import { readArray } from './read-array.ts'
import { readLines } from './read-lines.ts'
import { readOtlpJsonBatch } from './read-otlp-json-batch.ts'
import { readOtlpProtobuf } from './read-otlp-protobuf.ts'
import { tooManyRecords } from './too-many-records.ts'

/** The accepted records go into the sink, in the order they were sent. */
export function readBatch(input: BatchInput, sink: RecordSink): ReadBatch {
  return fillBatch(input, sink, (batch, context) => {
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

/** `projectApiKey` of a JSON object body, for senders that cannot set headers. Null when the body has none. */
export function readProjectKey(input: Pick<BatchInput, 'body' | 'contentType' | 'contentEncoding'>): string | null {
  const mediaType = mediaTypeOf(input.contentType)
  if (mediaType === 'protobuf' || mediaType === 'ndjson') return null
  const bytes = textBytes(inflate(input.body, input.contentEncoding))
  const scan = scanJson(bytes)
  if (isLines(scan, mediaType)) return null
  const text = checkedText(bytes, scan)
  if (!/^\s*\{/.test(text)) return null
  const parsed = parseJsonDocument(text)
  return parsed.protocol === 'json' ? parsed.projectKey : null
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
  const normalize = createNormalizer(context, createReaders(context).readRecord)
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
  const normalize = createNormalizer(context, createReaders(context).readRecord)
  const total = readArray(bytes, {
    fast,
    projectKey: (key) => {
      batch.bodyKey = key
    },
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
  const total = readOtlpJsonBatch(bytes, {
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

function addDocument(
  batch: ReadBatch,
  bytes: Uint8Array,
  scan: JsonScan,
  context: BatchContext,
  sink: RecordSink,
): void {
  context.needsCleaning = scan.hasSuspectEscapes
  const document = parseJsonDocument(checkedText(bytes, scan))
  batch.protocol = document.protocol
  if (document.protocol === 'otlp-json') {
    addOtlpJson(batch, document.request, context, sink)
    return
  }
  batch.bodyKey = document.projectKey
  if (document.entries.length > MAX_RECORDS) throw tooManyRecords()
  const normalize = createNormalizer(context, createReaders(context).readRecord)
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
