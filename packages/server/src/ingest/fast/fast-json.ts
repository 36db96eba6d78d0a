import type { RowWriter } from '../../logstore/schema/row-writer.ts'
import type { FastRecords } from '../record/record-sink.ts'
import { type FastContext, FastRecord } from './fast-record.ts'
import { namesFor } from './names.ts'
import { JsonReader } from './read-json.ts'
import { FastRows, type RowContext } from './write-row.ts'

export type Batch = RowContext & FastContext

/** Reads the JSON records of one batch from their bytes and writes their rows. */
export class FastJson implements FastRecords {
  readonly #record: FastRecord
  readonly #reader: JsonReader
  readonly #rows: FastRows

  constructor(writer: RowWriter, batch: Batch) {
    const names = namesFor(batch.redaction)
    this.#record = new FastRecord(batch)
    this.#reader = new JsonReader(names, this.#record)
    this.#rows = new FastRows(writer, batch)
  }

  read(bytes: Uint8Array, start: number): number {
    return this.#reader.read(bytes, start)
  }

  get timeUs(): number {
    return this.#record.timeUs
  }

  get values(): number {
    return this.#reader.values
  }

  take(): void {
    this.#rows.add(this.#record)
  }
}
