/** Everything between a request's bytes and the rows of a frame, without I/O, so that it can run in any thread. */

import { DAY_US } from '@tidemark/wire/time/units'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { patternId } from '../../analysis/pattern/pattern.ts'
import type { SequenceSource } from '../../logstore/schema/log-id.ts'
import { RowWriter } from '../../logstore/schema/row-writer.ts'
import { encodeRecord } from '../../logstore/schema/segment-rows.ts'
import { expiresDay } from '../../model/retention.ts'
import { type BatchInput, type ReadBatch, readBatch } from '../parse/read-batch.ts'

export type EncodeJob = BatchInput & { projectId: string }

export type EncodedBatch = Omit<ReadBatch, 'records'> & {
  accepted: number
  days: [day: number, records: number][]
  errors: number
  /** RowBinary, ready for a segment. */
  rows: Uint8Array
}

/** Large enough that Node gives it its own memory, which can be transferred between threads. */
const MIN_BUFFER_BYTES = 64 * 1024

export function encodeBatch(job: EncodeJob, sequence: SequenceSource): EncodedBatch {
  const { records, ...batch } = readBatch(job)
  const writer = new RowWriter(Math.max(MIN_BUFFER_BYTES, batch.rawBytes * 2))
  const days = new Map<number, number>()
  let errors = 0
  const receivedMs = Math.floor(job.receivedUs / 1_000)
  for (const record of records) {
    const day = Math.floor(record.timeUs / DAY_US)
    days.set(day, (days.get(day) ?? 0) + 1)
    const fingerprint = fingerprintId(record)
    if (fingerprint !== null) errors++
    encodeRecord(writer, {
      projectId: job.projectId,
      record,
      pattern: patternId(record.message),
      fingerprint,
      sequence: sequence.next(),
      receivedMs,
      expiresDay: expiresDay(day, job.project.retentionDays),
    })
  }
  return { ...batch, accepted: records.length, days: [...days], errors, rows: writer.take() }
}
