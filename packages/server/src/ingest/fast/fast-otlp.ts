import type { RowWriter } from '../../logstore/schema/row-writer.ts'
import type { FastOtlpRecords, OtlpPlaces } from '../record/record-sink.ts'
import type { Batch } from './fast-json.ts'
import { FastRecord } from './fast-record.ts'
import { MadeTexts } from './made-texts.ts'
import { namesFor } from './names.ts'
import { OtlpReader } from './read-otlp.ts'
import { FastRows } from './write-row.ts'

/** For the numbers and ids of a record and of what it shares with others; one that needs more is read the plain way. */
const MADE_BYTES = 4 * 1024

/** Reads the OTLP records of one batch from their bytes and writes their rows. */
export class FastOtlp implements FastOtlpRecords {
  readonly #record: FastRecord
  readonly #reader: OtlpReader
  readonly #rows: FastRows

  constructor(writer: RowWriter, batch: Batch) {
    const made = new MadeTexts(MADE_BYTES)
    this.#record = new FastRecord(batch, made)
    const [common, resource] = [new FastRecord(batch, made), new FastRecord(batch, made)]
    this.#reader = new OtlpReader(namesFor(batch.redaction), this.#record, common, resource)
    this.#rows = new FastRows(writer, batch)
  }

  beginGroup(bytes: Uint8Array, places: OtlpPlaces): void {
    this.#reader.beginGroup(bytes, places)
  }

  read(start: number, end: number): boolean {
    return this.#reader.read(start, end)
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
