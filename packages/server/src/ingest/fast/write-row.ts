/**
 * Writes a record that was read from bytes as a row, in the order of `COLUMNS`. It says that order once more, because going
 * through the columns takes an object per record; the comparison of both paths tells when the two differ.
 */
import { DAY_US } from '@tidemark/wire/time/units'
import { patternId, patternIdOfAscii } from '../../analysis/pattern/pattern.ts'
import type { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { expiresDay } from '../../model/retention.ts'
import { MAX_ROW_BYTES } from '../limits.ts'
import { SLOT_NUMBER } from '../record/aliases.ts'
import type { FastRecord } from './fast-record.ts'
import { MADE } from './made-texts.ts'

export type RowContext = {
  projectId: string
  defaultEnvironment: string
  receivedMs: number
  sequence: Pick<SequenceSource, 'next'>
}

const { environment: ENVIRONMENT, service: SERVICE, host: HOST, logger: LOGGER, release: RELEASE } = SLOT_NUMBER
const { traceId: TRACE_ID, spanId: SPAN_ID, message: MESSAGE } = SLOT_NUMBER

export class FastRows {
  readonly #writer: RowWriter
  readonly #context: RowContext
  /** What every row begins with: no frame, and the project. */
  readonly #beginning: Buffer
  /** The environment of a record that names none, with the flag after it that says so. */
  readonly #defaultEnvironment: Buffer

  constructor(writer: RowWriter, context: RowContext) {
    this.#writer = writer
    this.#context = context
    this.#beginning = Buffer.concat([Buffer.from([0]), textOf(context.projectId)])
    this.#defaultEnvironment = Buffer.concat([textOf(context.defaultEnvironment), Buffer.from([1])])
  }

  add(record: FastRecord): void {
    // The sink is full.
    if (this.#writer.length > MAX_ROW_BYTES) return
    const { receivedMs, sequence } = this.#context
    const { bytes, starts, ends, timeUs } = record
    const row = this.#writer.room(this.#mostBytes(record))
    const { hi, lo } = sequence.next()
    let at = putBytes(row, this.#writer.length, this.#beginning)
    at = putInt64(row, at, timeUs)
    at = putUint64(row, at, hi, lo)
    row[at++] = record.level
    if (ends[ENVIRONMENT] === 0) at = putBytes(row, at, this.#defaultEnvironment)
    else {
      at = putText(row, at, record, starts[ENVIRONMENT]!, ends[ENVIRONMENT]!)
      row[at++] = 0
    }
    at = putText(row, at, record, starts[SERVICE]!, ends[SERVICE]!)
    at = putText(row, at, record, starts[HOST]!, ends[HOST]!)
    at = putText(row, at, record, starts[LOGGER]!, ends[LOGGER]!)
    at = putText(row, at, record, starts[RELEASE]!, ends[RELEASE]!)
    at = putText(row, at, record, starts[TRACE_ID]!, ends[TRACE_ID]!)
    at = putText(row, at, record, starts[SPAN_ID]!, ends[SPAN_ID]!)
    at = putSpan(row, at, bytes, starts[MESSAGE]!, ends[MESSAGE]!)
    // Neither truncated nor an error: an empty text is a length of 0.
    row[at++] = 0 // truncated
    row[at++] = 0 // error.type
    row[at++] = 0 // error.message
    row[at++] = 0 // error.stack
    at = putAttributes(row, at, record)
    const pattern = record.isMessageWide
      ? patternId(record.text(starts[MESSAGE]!, ends[MESSAGE]!))
      : patternIdOfAscii(bytes, starts[MESSAGE]!, ends[MESSAGE]!)
    at = putUint64(row, at, pattern.hi, pattern.lo)
    at = putUint64(row, at, 0, 0)
    at = putInt64(row, at, receivedMs)
    const expires = expiresDay(Math.floor(timeUs / DAY_US), record.daysKept)
    row[at++] = expires
    row[at++] = expires >>> 8
    this.#writer.wrote(at)
  }

  /** What else a row holds is bounded. */
  #mostBytes({ attributes, keys, length }: FastRecord): number {
    let most = length + this.#beginning.length + this.#defaultEnvironment.length + MOST_FIXED_BYTES
    for (let at = 0; at < attributes; at++) most += keys[at]!.row.length + MOST_LENGTH_BYTES
    return most
  }
}

/** How long a text is takes at most this. */
const MOST_LENGTH_BYTES = 5
/** All columns but their texts, with room to spare. */
const MOST_FIXED_BYTES = 128

function putAttributes(row: Uint8Array, from: number, record: FastRecord): number {
  const { attributes, keys, valueStarts, valueEnds } = record
  let at = putLength(row, from, attributes)
  for (let index = 0; index < attributes; index++) {
    at = putBytes(row, at, keys[index]!.row)
    at = putText(row, at, record, valueStarts[index]!, valueEnds[index]!)
  }
  return at
}

function putBytes(row: Uint8Array, at: number, bytes: Uint8Array): number {
  for (let index = 0; index < bytes.length; index++) row[at + index] = bytes[index]!
  return at + bytes.length
}

/** A text of the record, which stands in its bytes or was made. */
function putText(row: Uint8Array, at: number, { bytes, made }: FastRecord, start: number, end: number): number {
  return start < MADE ? putSpan(row, at, bytes, start, end) : putSpan(row, at, made.bytes, start - MADE, end - MADE)
}

/** A text that stands in other bytes, with its length in front. */
function putSpan(row: Uint8Array, from: number, bytes: Uint8Array, start: number, end: number): number {
  const length = end - start
  const at = putLength(row, from, length)
  if (length > LONG_SPAN) row.set(bytes.subarray(start, end), at)
  else for (let index = 0; index < length; index++) row[at + index] = bytes[start + index]!
  return at + length
}

/** From here on the call into native code is quicker than a loop. */
const LONG_SPAN = 32

function putLength(row: Uint8Array, from: number, length: number): number {
  let at = from
  let rest = length
  for (; rest > 0x7f; rest >>>= 7) row[at++] = (rest & 0x7f) | 0x80
  row[at] = rest
  return at + 1
}

function putInt64(row: Uint8Array, at: number, value: number): number {
  const hi = Math.floor(value / 2 ** 32)
  return putUint64(row, at, hi, value - hi * 2 ** 32)
}

function putUint64(row: Uint8Array, at: number, hi: number, lo: number): number {
  row[at] = lo
  row[at + 1] = lo >>> 8
  row[at + 2] = lo >>> 16
  row[at + 3] = lo >>> 24
  row[at + 4] = hi
  row[at + 5] = hi >>> 8
  row[at + 6] = hi >>> 16
  row[at + 7] = hi >>> 24
  return at + 8
}

function textOf(text: string): Buffer {
  const writer = new RowWriter(text.length * 3 + 5)
  writer.string(text)
  return writer.take()
}
