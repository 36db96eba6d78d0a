/**
 * Records wait as the bytes that will be sent: the bound on memory is exact, no attempt encodes them again, and the
 * collector has nothing to walk. JSON has no raw line break, so a batch can be taken apart again at its line breaks.
 */
export type Batch = {
  /** The service stores a batch once, however often it is sent. */
  readonly id: string
  readonly bytes: Uint8Array
  readonly records: number
  readonly sealedAtMs: number
  attempts: number
  /** It had another id, which somebody else had used. */
  readonly isRenamed: boolean
}

const FIRST_BYTES = 8 * 1024
/** Room that one large record needed is given back. */
const MOST_KEPT_BYTES = 2 * 1024 * 1024
const LINE_BREAK = 0x0a

const encoder = new TextEncoder()

/** The batch that records are written into. */
export class OpenBatch {
  #bytes = new Uint8Array(FIRST_BYTES)
  #length = 0
  #records = 0

  get length(): number {
    return this.#length
  }

  get records(): number {
    return this.#records
  }

  /** How many bytes the line took. */
  append(line: string): number {
    // No character takes more than three bytes for a unit, so this always fits.
    this.#makeRoom(line.length * 3 + 1)
    const { written } = encoder.encodeInto(line, this.#bytes.subarray(this.#length))
    this.#length += written
    this.#bytes[this.#length++] = LINE_BREAK
    this.#records++
    return written + 1
  }

  /** Undoes the last `append`, which took `bytes` bytes. */
  takeBack(bytes: number): void {
    this.#length -= bytes
    this.#records--
  }

  /** Returns what was written, in exactly as much memory, and starts over in the existing buffer. */
  take(): { bytes: Uint8Array; records: number } {
    const bytes = this.#bytes.slice(0, this.#length)
    const records = this.#records
    if (this.#bytes.length > MOST_KEPT_BYTES) this.#bytes = new Uint8Array(FIRST_BYTES)
    this.#length = 0
    this.#records = 0
    return { bytes, records }
  }

  #makeRoom(needed: number): void {
    if (this.#bytes.length - this.#length >= needed) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + needed))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

/** Two halves at the line break nearest to the middle; null when there is only one record. */
export function halves(bytes: Uint8Array): [Uint8Array, Uint8Array] | null {
  const middle = bytes.length >> 1
  const before = bytes.lastIndexOf(LINE_BREAK, middle)
  const at = before === -1 ? bytes.indexOf(LINE_BREAK, middle) : before
  return at === -1 || at === bytes.length - 1 ? null : [bytes.subarray(0, at + 1), bytes.subarray(at + 1)]
}

export function countRecords(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(LINE_BREAK); at !== -1; at = bytes.indexOf(LINE_BREAK, at + 1)) count++
  return count
}
