import { SLOT_NUMBER } from '../record/aliases.ts'
import type { FastRecord } from './fast-record.ts'
import { MAX_FAST_BYTES } from './fast-record.ts'
import type { Names } from './names.ts'

const { message: MESSAGE } = SLOT_NUMBER

/** What the scope and the resource of a group say, read once for all its records. */
export class OtlpCommon {
  readonly record: FastRecord
  /** How many bytes say it, and how many texts were made for it. */
  bytes = 0
  madeBytes = 0

  readonly #names: Names
  readonly #read: (record: FastRecord) => boolean
  #document: Uint8Array = new Uint8Array()
  #isUsual = false
  /** As often had names been forgotten when it was read; 0 when it was not. */
  #readAfter = 0

  /** `read` fills the record; false when something is unusual. */
  constructor(names: Names, record: FastRecord, read: (record: FastRecord) => boolean) {
    this.#names = names
    this.record = record
    this.#read = read
  }

  /** A new group, in which this is said in so many bytes. */
  begin(document: Uint8Array, bytes: number): void {
    this.#document = document
    this.bytes = bytes
    this.#readAfter = 0
  }

  /** The number of the next record; 0 when there is something unusual about what it shares with others. */
  nextRecord(): number {
    const names = this.#names
    let number = names.nextRecord()
    if (this.#readAfter !== names.timesForgotten) {
      this.#readNow(number)
      number = names.nextRecord()
    }
    return this.#isUsual && this.#readAfter === names.timesForgotten ? number : 0
  }

  #readNow(number: number): void {
    const { record } = this
    this.#readAfter = this.#names.timesForgotten
    record.made.length = 0
    record.begin(this.#document, 0, number)
    this.#isUsual =
      this.bytes <= MAX_FAST_BYTES &&
      this.#read(record) &&
      // A message that is not the record's own.
      record.ends[MESSAGE] === 0 &&
      !record.hasSecret()
    this.madeBytes = record.made.length
  }
}
