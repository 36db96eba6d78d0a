/**
 * A segment file is RowBinary from end to end, so that the engine can load it as it is. What the spool has to say about
 * the rows that follow is in a separate row: its first column holds the frame, all others are blank, and loading leaves
 * such rows out.
 */
import { COLUMNS, type RecordRow } from './columns.ts'
import { RowWriter } from './row-writer.ts'

/** What follows the frame in a header row, always the same. */
export const HEADER_ROW_TAIL: Buffer = Buffer.concat(COLUMNS.map((column) => column.blank))

/** `frame` must not be empty: a row with an empty one is a record. */
export function headerRow(frame: Uint8Array): Buffer {
  const writer = new RowWriter(frame.length + HEADER_ROW_TAIL.length + 5)
  writer.varint(frame.length)
  writer.bytes(frame)
  writer.bytes(HEADER_ROW_TAIL)
  return writer.take()
}

/** Appends one record as a row. The empty text in front tells it from a header row. */
export function encodeRecord(writer: RowWriter, row: RecordRow): void {
  writer.uint8(0)
  for (let i = 0; i < COLUMNS.length; i++) COLUMNS[i]!.write(writer, row)
}
