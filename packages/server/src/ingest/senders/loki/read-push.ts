/**
 * `POST /loki/api/v1/push`. What the line itself says comes first, then the entry's structured metadata, then the labels
 * of its stream; the time is the entry's.
 */
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { LOKI_NAMES } from '@tidemark/wire/senders/loki-names'
import { inflate } from '../../../bytes/inflate.ts'
import { AppError } from '../../../errors.ts'
import { MAX_RECORDS, MAX_SHARED_BYTES } from '../../limits.ts'
import { add, textBytes } from '../../parse/fill-batch.ts'
import { mediaTypeOf } from '../../parse/media-type.ts'
import { createReaders } from '../../parse/program-lines.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { type BatchContext, finishRecord } from '../../record/finish-record.ts'
import { keepOwnTime } from '../../record/keep-own-time.ts'
import type { Normalized } from '../../record/normalize.ts'
import { offerNamed, ownNames } from '../../record/offer-named.ts'
import { RecordDraft } from '../../record/record-draft.ts'
import { pairBytes, tooMuchShared } from '../../record/shared-bytes.ts'
import type { ReadSender } from '../sender.ts'
import { unsnappy } from '../snappy.ts'
import type { Labels } from './label-text.ts'
import type { LokiEntry, LokiPush, LokiStream } from './push.ts'
import { parsePushJson } from './push-json.ts'
import { parsePushProtobuf } from './push-protobuf.ts'

const LABEL_NAMES = ownNames(LOKI_NAMES)

export const readPush: ReadSender = (input, batch, context, sink) => {
  const { bytes, push } = parse(input)
  context.needsCleaning = push.needsCleaning
  batch.spreadBytes = checkedSpread(push.streams)
  const draft = new RecordDraft(context.receivedUs)
  const { readLine } = createReaders(context)
  batch.isNamedByBytes = push.streams.some(({ entries }) => entries.some(isFinelyTimed))
  const readOne = (entry: LokiEntry, labels: Labels) => {
    draft.reset()
    readLine(draft, entry.line)
    return readEntry(draft, entry, labels, context)
  }
  for (const { labels, entries } of push.streams) {
    for (const entry of entries) {
      add(batch, batch.total++, problemOf(entry) ?? readOne(entry, labels), sink)
    }
  }
  return bytes
}

/** As Loki: JSON is plain or has a Content-Encoding, everything else is protobuf in snappy, whether it says so or not. */
function parse({ body, contentType, contentEncoding }: Parameters<ReadSender>[0]): {
  bytes: Uint8Array
  push: LokiPush
} {
  const type = mediaTypeOf(contentType)
  if (type === 'json') {
    const bytes = textBytes(inflate(body, contentEncoding))
    return { bytes, push: parsePushJson(bytes) }
  }
  if (type !== 'protobuf' && contentType !== '') {
    throw new AppError('unsupported_media_type', 'Send application/json, or application/x-protobuf in snappy.')
  }
  const bytes = unsnappy(contentEncoding === 'snappy' ? body : inflate(body, contentEncoding))
  return { bytes, push: parsePushProtobuf(bytes) }
}

function problemOf({ metadata }: LokiEntry): string | null {
  if (metadata.length > MAX_ATTRIBUTES) {
    return `The entry has more metadata than ${MAX_ATTRIBUTES} names; at most that many attributes are allowed.`
  }
  return metadata.some(([name]) => name === '') ? 'The entry has metadata without a name.' : null
}

function readEntry(
  draft: RecordDraft,
  { time, metadata }: LokiEntry,
  labels: Labels,
  context: BatchContext,
): Normalized {
  if (typeof time === 'number') keepOwnTime(draft, time, context)
  draft.collisionPrefix = 'metadata.'
  for (const [name, value] of metadata) offerNamed(draft, name, value, LABEL_NAMES)
  draft.collisionPrefix = 'label.'
  for (const [name, value] of labels) offerNamed(draft, name, value, LABEL_NAMES)
  draft.collisionPrefix = ''
  if (typeof time === 'number') draft.exactTimeUs = time
  else draft.set('time', time)
  return finishRecord(draft, context)
}

/**
 * A time to the microsecond tells an entry from another one like it. One in milliseconds does not: a busy logger writes the
 * same line twice in one.
 */
function isFinelyTimed({ time }: LokiEntry): boolean {
  return typeof time === 'number' && time % 1_000 !== 0
}

/** The bytes that labels take with each entry but the first of their stream. */
function checkedSpread(streams: readonly LokiStream[]): number {
  let records = 0
  let bytes = 0
  for (const { labels, entries } of streams) {
    records += entries.length
    if (entries.length > 1) bytes += (entries.length - 1) * labelBytes(labels)
  }
  if (records > MAX_RECORDS) throw tooManyRecords()
  if (bytes > MAX_SHARED_BYTES) throw tooMuchShared()
  return bytes
}

function labelBytes(labels: Labels): number {
  return labels.reduce((sum, [name, value]) => sum + pairBytes(name, value), 0)
}
