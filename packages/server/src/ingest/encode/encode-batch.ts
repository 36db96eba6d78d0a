/** Everything between a request's bytes and the rows of a frame, without I/O, so that it can run in any thread. */

import { DAY_US } from '@tidemark/wire/time/units'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { patternId } from '../../analysis/pattern/pattern.ts'
import type { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { encodeRecord } from '../../logstore/schema/segment-rows.ts'
import type { LogRecord } from '../../model/log-record.ts'
import { daysKept, expiresDay } from '../../model/retention.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import { type Batch, FastJson } from '../fast/fast-json.ts'
import { FastOtlp } from '../fast/fast-otlp.ts'
import { FastOtlpJson } from '../fast/fast-otlp-json.ts'
import { MAX_ROW_BYTES } from '../limits.ts'
import type { BatchInput, ReadBatch } from '../parse/fill-batch.ts'
import { readBatch } from '../parse/read-batch.ts'
import type { FastReaders, RecordSink } from '../record/record-sink.ts'
import type { Sender } from '../senders/sender.ts'
import { readProtocol } from './read-protocol.ts'

/** `sender` when the bytes are in the protocol of another sender. */
export type EncodeJob = BatchInput & { projectId: string; sender?: Sender | undefined }

export type EncodedBatch = Omit<ReadBatch, 'days'> & {
  days: [day: number, records: number][]
  errors: number
  /** RowBinary, ready for a segment. */
  rows: Uint8Array
}

/**
 * One for all batches of a thread: encoding never waits, so there is one at a time. Rows leave it as a copy of their exact
 * size. Memory for each batch, with room to spare, would be many times what is transferred, and collected as often.
 */
const writer = new RowWriter()

/** `fast: false` reads every record the plain way, for comparing both. */
export function encodeBatch(
  job: EncodeJob,
  sequence: Pick<SequenceSource, 'next'>,
  { fast = true }: { fast?: boolean } = {},
): EncodedBatch {
  try {
    const receivedMs = Math.floor(job.receivedUs / 1_000)
    const redaction = compileRedaction(job.redaction)
    const fastBatch = { ...job, ...job.project, redaction, receivedMs, sequence }
    let errors = 0
    const sink: RecordSink = {
      fast: fast ? fastReaders(fastBatch) : null,
      get isFull(): boolean {
        return writer.length > MAX_ROW_BYTES
      },
      record(record: LogRecord): void {
        if (sink.isFull) return
        const fingerprint = fingerprintId(record)
        if (fingerprint !== null) errors++
        encodeRecord(writer, {
          projectId: job.projectId,
          record,
          pattern: patternId(record.message),
          fingerprint,
          sequence: sequence.next(),
          receivedMs,
          expiresDay: expiresDay(Math.floor(record.timeUs / DAY_US), daysKept(job.project, record)),
        })
      },
      clear(): void {
        writer.cutTo(0)
        errors = 0
      },
    }
    const { sender } = job
    const { days, ...batch } = sender === undefined ? readBatch(job, sink) : readProtocol({ ...job, sender }, sink)
    return { ...batch, days: [...days], errors, rows: writer.copy() }
  } finally {
    // What a batch that was refused had written so far.
    writer.cutTo(0)
  }
}

function fastReaders(batch: Batch): FastReaders {
  return {
    json: () => new FastJson(writer, batch),
    otlp: () => new FastOtlp(writer, batch),
    otlpJson: () => new FastOtlpJson(writer, batch),
  }
}
