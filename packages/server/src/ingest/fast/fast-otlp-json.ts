import type { RowWriter } from '../../logstore/schema/row-writer.ts'
import type { FastOtlpJsonRecords, OtlpJsonPlaces } from '../record/record-sink.ts'
import type { Batch } from './fast-json.ts'
import { FastRecord } from './fast-record.ts'
import { namesFor } from './names.ts'
import { OtlpJsonReader } from './read-otlp-json.ts'
import { FastRows } from './write-row.ts'

/** The same as `FastOtlp` for OTLP in JSON. */
export class FastOtlpJson implements FastOtlpJsonRecords {
  readonly #record: FastRecord
  readonly #reader: OtlpJsonReader
  readonly #rows: FastRows

  constructor(writer: RowWriter, batch: Batch) {
    this.#record = new FastRecord(batch)
    const [common, resource] = [new FastRecord(batch), new FastRecord(batch)]
    this.#reader = new OtlpJsonReader(namesFor(batch.redaction), this.#record, common, resource)
    this.#rows = new FastRows(writer, batch)
  }

  beginGroup(bytes: Uint8Array, places: OtlpJsonPlaces): void {
    this.#reader.beginGroup(bytes, places)
  }

  read(start: number): number {
    return this.#reader.read(start)
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
