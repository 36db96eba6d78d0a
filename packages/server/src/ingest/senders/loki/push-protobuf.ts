/** logproto's PushRequest; field numbers are Loki's. Unknown fields are skipped. */
import { MAX_ATTRIBUTES } from '@tidemark/wire/limits'
import { withCommas } from '@tidemark/wire/text/counted'
import { MAX_JSON_VALUES } from '../../../bytes/limits.ts'
import { AppError } from '../../../errors.ts'
import { MAX_RECORDS } from '../../limits.ts'
import { ProtobufReader, WIRE_BYTES, WIRE_VARINT } from '../../parse/protobuf-reader.ts'
import { tooManyRecords } from '../../parse/too-many-records.ts'
import { parseLabels } from './label-text.ts'
import type { LokiEntry, LokiPush } from './push.ts'

/** Seconds above this are no time; it keeps what follows within what a date can be. */
const MAX_SECONDS = 2 ** 34

type Budget = { records: number; values: number }
type Stream = { labels: string; entries: LokiEntry[] }

export function parsePushProtobuf(bytes: Uint8Array): LokiPush {
  const reader = new ProtobufReader(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const budget: Budget = { records: 0, values: 0 }
  const streams = asPush(() => {
    const read: Stream[] = []
    while (!reader.isAtEnd) {
      const tag = reader.tag()
      if (tag === field(1, WIRE_BYTES)) {
        spend(budget, 1)
        if (read.length >= MAX_RECORDS) throw tooManyStreams()
        read.push(readStream(reader, budget))
      } else reader.skip(tag)
    }
    return read
  })
  const parsed = streams.map((stream) => {
    const labels = parseLabels(stream.labels)
    spend(budget, labels.length)
    return { labels, entries: stream.entries }
  })
  // An escape in a label can write what its bytes did not hold.
  return { streams: parsed, needsCleaning: reader.sawNul || streams.some(({ labels }) => labels.includes('\\')) }
}

/** Streams, their labels and the metadata of entries count together. */
function spend(budget: Budget, values: number): void {
  budget.values += values
  if (budget.values > MAX_JSON_VALUES) {
    throw new AppError('body_too_large', 'The push holds too many labels and metadata. Send smaller batches.')
  }
}

function field(number: number, wire: number): number {
  return number * 8 + wire
}

function readStream(reader: ProtobufReader, budget: Budget): Stream {
  const stream: Stream = { labels: '', entries: [] }
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) stream.labels = reader.text()
    else if (tag === field(2, WIRE_BYTES)) {
      if (++budget.records > MAX_RECORDS) throw tooManyRecords()
      stream.entries.push(readEntry(reader, budget))
    } else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return stream
}

function readEntry(reader: ProtobufReader, budget: Budget): LokiEntry {
  const metadata: [string, string][] = []
  const entry: LokiEntry = { time: 0, line: '', metadata }
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) entry.time = readTime(reader)
    else if (tag === field(2, WIRE_BYTES)) entry.line = reader.text()
    else if (tag === field(3, WIRE_BYTES)) {
      spend(budget, 1)
      const pair = readPair(reader)
      // One too many is kept, so that the entry is judged to have too many.
      if (metadata.length <= MAX_ATTRIBUTES) metadata.push(pair)
    } else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return entry
}

function tooManyStreams(): AppError {
  const limit = withCommas(MAX_RECORDS)
  return new AppError('body_too_large', `A push holds at most ${limit} streams. Send smaller batches.`)
}

/** google.protobuf.Timestamp. */
function readTime(reader: ProtobufReader): number | string {
  let seconds: number | string = 0
  let nanos = 0
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_VARINT)) seconds = reader.int64()
    else if (tag === field(2, WIRE_VARINT)) nanos = reader.uint32()
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  const isTime = typeof seconds === 'number' && seconds >= 0 && seconds < MAX_SECONDS && nanos < 1e9
  return isTime ? Number(seconds) * 1_000_000 + Math.floor(nanos / 1_000) : `${seconds} s and ${nanos} ns`
}

function readPair(reader: ProtobufReader): [string, string] {
  const pair: [string, string] = ['', '']
  const outerEnd = reader.enter()
  while (!reader.isAtEnd) {
    const tag = reader.tag()
    if (tag === field(1, WIRE_BYTES)) pair[0] = reader.text()
    else if (tag === field(2, WIRE_BYTES)) pair[1] = reader.text()
    else reader.skip(tag)
  }
  reader.leave(outerEnd)
  return pair
}

/** The reader of protobuf speaks of OpenTelemetry, where it is at home. */
function asPush<Result>(read: () => Result): Result {
  try {
    return read()
  } catch (cause) {
    if (!(cause instanceof AppError) || cause.code !== 'invalid_request') throw cause
    throw new AppError('invalid_request', 'The body is not a Loki push request in protobuf. Check the sender.', {
      cause,
    })
  }
}
