/** Segments as the spool would write them, from records that say only what a test cares about. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_US } from '@tidemark/wire/time/units'
import type { LogRecord } from '../../model/log-record.ts'
import type { Segment } from '../log-store.ts'
import type { RecordRow } from '../schema/columns.ts'
import { SequenceSource } from '../schema/log-id.ts'
import { RowWriter } from '../schema/row-writer.ts'
import { encodeRecord, headerRow } from '../schema/segment-rows.ts'

/** Today, so that nothing a test stores has expired. */
export const TODAY: number = Math.floor(Date.now() / 86_400_000)

const sequences = new SequenceSource()

export function sampleRecord(some: Partial<LogRecord> = {}): LogRecord {
  return {
    timeUs: TODAY * DAY_US,
    level: 'info',
    environment: 'production',
    environmentDefaulted: false,
    service: '',
    host: '',
    logger: '',
    release: '',
    traceId: '',
    spanId: '',
    message: '',
    truncated: false,
    error: null,
    attributes: new Map(),
    ...some,
  }
}

export type SegmentRecord = Partial<LogRecord> & { project: string; row?: Partial<RecordRow> }

/** One frame for each record: a header row, then the record. */
export function writeSegment(folder: string, id: string, records: readonly SegmentRecord[]): Segment {
  const writer = new RowWriter()
  const days = new Map<number, number>()
  for (const { project, row, ...some } of records) {
    const record = sampleRecord(some)
    const day = Math.floor(record.timeUs / DAY_US)
    days.set(day, (days.get(day) ?? 0) + 1)
    writer.bytes(headerRow(Buffer.from(`a frame of ${id}\n\n`)))
    encodeRecord(writer, {
      projectId: project,
      record,
      pattern: { hi: 0, lo: 0 },
      fingerprint: null,
      sequence: sequences.next(),
      receivedMs: TODAY * 86_400_000,
      expiresDay: day + 30,
      ...row,
    })
  }
  const path = join(folder, id)
  const bytes = writer.take()
  writeFileSync(path, bytes)
  return { id, path, bytes: bytes.length, days: [...days].map(([day, count]) => ({ day, records: count })) }
}
