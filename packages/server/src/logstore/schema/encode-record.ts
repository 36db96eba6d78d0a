import { COLUMNS, type RecordRow } from './columns.ts'
import type { RowWriter } from './row-writer.ts'

/** Appends one record as a row of a segment. The empty text in front tells it from a frame's header row. */
export function encodeRecord(writer: RowWriter, row: RecordRow): void {
  writer.uint8(0)
  for (let i = 0; i < COLUMNS.length; i++) COLUMNS[i]!.write(writer, row)
}
