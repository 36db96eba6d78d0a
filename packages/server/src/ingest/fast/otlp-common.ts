import { SLOT_NUMBER } from '../record/aliases.ts'
import type { FastRecord } from './fast-record.ts'
import { MAX_FAST_BYTES } from './fast-record.ts'
import type { Names } from './names.ts'

const { message: MESSAGE } = SLOT_NUMBER

/** Each fills a record; false when something is unusual. */
type Readers = { scope: (into: FastRecord) => boolean; resource: (into: FastRecord) => boolean }

/**
 * What the scope and the resource of a group say, read once for all its records. A resource may have thousands of scopes, so
 * it is read once for all of them.
 */
export class OtlpCommon {
  readonly record: FastRecord
  /** How many bytes say it, and how many texts were made for it. */
  bytes = 0
  madeBytes = 0

  readonly #names: Names
  readonly #resource: FastRecord
  readonly #read: Readers
  #document: Uint8Array = new Uint8Array()
  #isUsual = false
  /** As often had names been forgotten when it was read; 0 when it was not. */
  #readAfter = 0
  /** The same of the resource alone. */
  #resourcePlace: object | null = null
  #isResourceUsual = false
  #resourceReadAfter = 0
  #resourceMadeBytes = 0

  constructor(names: Names, record: FastRecord, resource: FastRecord, read: Readers) {
    this.#names = names
    this.record = record
    this.#resource = resource
    this.#read = read
  }

  /** Begins a new group. `bytes`: how many its scope and resource take. Groups of one resource have the same `resourcePlace`. */
  begin(document: Uint8Array, bytes: number, resourcePlace: object | null): void {
    this.#document = document
    this.bytes = bytes
    this.#readAfter = 0
    if (resourcePlace !== this.#resourcePlace) this.#resourceReadAfter = 0
    this.#resourcePlace = resourcePlace
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
    this.#isUsual = false
    if (this.bytes > MAX_FAST_BYTES) return
    if (this.#resourceReadAfter !== this.#readAfter) this.#readResource(number)
    if (!this.#isResourceUsual) return
    record.made.length = this.#resourceMadeBytes
    record.begin(this.#document, 0, this.#names.nextRecord())
    this.#isUsual =
      this.#read.scope(record) &&
      record.addAll(this.#resource) &&
      // A message that is not the record's own.
      record.ends[MESSAGE] === 0 &&
      !record.hasSecret()
    this.madeBytes = record.made.length
  }

  #readResource(number: number): void {
    const resource = this.#resource
    this.#resourceReadAfter = this.#readAfter
    resource.made.length = 0
    resource.begin(this.#document, 0, number)
    this.#isResourceUsual = this.#read.resource(resource) && !resource.hasSecret()
    this.#resourceMadeBytes = resource.made.length
  }
}
