/**
 * Writes ClickHouse's RowBinary format into one growing buffer. It runs for every field of every record, so it makes no
 * objects of its own and asks V8 for the text once: most text is ASCII, where the length in bytes is known beforehand.
 */
const FIRST_BYTES = 64 * 1024
/** A buffer that grew beyond this for one batch is given back. */
const MAX_KEPT_BYTES = 8 * 1024 * 1024
/** Below this many characters a loop in JavaScript is quicker than the call into native code. */
const SHORT_TEXT = 48

export class RowWriter {
  #buffer: Buffer
  #at = 0

  constructor(firstBytes: number = FIRST_BYTES) {
    this.#buffer = Buffer.allocUnsafe(firstBytes)
  }

  get length(): number {
    return this.#at
  }

  /** The rows written since the last call; they stay valid, the writer continues in the space after them. */
  take(): Buffer {
    const rows = this.#buffer.subarray(0, this.#at)
    this.#buffer = this.#buffer.subarray(this.#at)
    this.#at = 0
    return rows
  }

  /** All rows in memory of their own, which can be transferred between threads. The writer begins again. */
  copy(): Uint8Array {
    const rows = Buffer.allocUnsafeSlow(this.#at)
    this.#buffer.copy(rows, 0, 0, this.#at)
    this.cutTo(0)
    return rows
  }

  /** Forgets what was written after `length` bytes: a record that turned out to be too large leaves no trace. */
  cutTo(length: number): void {
    this.#at = length
    if (length === 0 && this.#buffer.length > MAX_KEPT_BYTES) this.#buffer = Buffer.allocUnsafe(FIRST_BYTES)
  }

  /** For callers that write the bytes themselves: the buffer, with room for this many from `length` on. */
  room(bytes: number): Uint8Array {
    this.#reserve(bytes)
    return this.#buffer
  }

  /** Where it has written to. What is written past the end of a buffer is lost without a word, so that is refused here. */
  wrote(length: number): void {
    if (length > this.#buffer.length) throw new Error(`A row ends ${length - this.#buffer.length} bytes past its room.`)
    this.#at = length
  }

  uint8(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#at++] = value
  }

  uint16(value: number): void {
    this.#reserve(2)
    this.#buffer[this.#at++] = value
    this.#buffer[this.#at++] = value >>> 8
  }

  uint64(hi: number, lo: number): void {
    this.#reserve(8)
    const buffer = this.#buffer
    const at = this.#at
    // Byte by byte: the buffer's own methods check what is known here, at several times the cost.
    buffer[at] = lo
    buffer[at + 1] = lo >>> 8
    buffer[at + 2] = lo >>> 16
    buffer[at + 3] = lo >>> 24
    buffer[at + 4] = hi
    buffer[at + 5] = hi >>> 8
    buffer[at + 6] = hi >>> 16
    buffer[at + 7] = hi >>> 24
    this.#at = at + 8
  }

  /** A whole number of at most 53 bits, as the engine keeps times; before 1970 it is negative. */
  int64(value: number): void {
    const hi = Math.floor(value / 2 ** 32)
    this.uint64(hi >>> 0, value - hi * 2 ** 32)
  }

  varint(value: number): void {
    this.#reserve(5)
    this.#at = this.#writeVarint(value, this.#at)
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#at)
    this.#at += bytes.length
  }

  string(text: string): void {
    const units = text.length
    this.#reserve(units * 3 + 5)
    if (units < SHORT_TEXT && this.#shortAscii(text)) return
    const guessed = this.#writeVarint(units, this.#at)
    const written = this.#buffer.write(text, guessed, 'utf8')
    if (written === units) {
      this.#at = guessed + written
      return
    }
    const start = this.#at + varintBytes(written)
    if (start !== guessed) this.#buffer.copyWithin(start, guessed, guessed + written)
    this.#writeVarint(written, this.#at)
    this.#at = start + written
  }

  #shortAscii(text: string): boolean {
    const buffer = this.#buffer
    let at = this.#at
    buffer[at++] = text.length
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit > 0x7f) return false
      buffer[at++] = unit
    }
    this.#at = at
    return true
  }

  #writeVarint(value: number, at: number): number {
    let rest = value
    let next = at
    while (rest > 0x7f) {
      this.#buffer[next++] = (rest & 0x7f) | 0x80
      rest >>>= 7
    }
    this.#buffer[next++] = rest
    return next
  }

  #reserve(bytes: number): void {
    if (this.#at + bytes <= this.#buffer.length) return
    const larger = Buffer.allocUnsafe(Math.max(FIRST_BYTES, this.#buffer.length * 2, this.#at + bytes))
    this.#buffer.copy(larger, 0, 0, this.#at)
    this.#buffer = larger
  }
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 0x7f; rest >>>= 7) bytes++
  return bytes
}
