/**
 * Texts of a record that do not stand in the bytes it came in: numbers, ids and texts with quotes around them. They have
 * places like those in the bytes, from `MADE` on. Every method returns where its text begins, or 0 when it has no room left.
 */

/** Beyond the last place of any body. */
export const MADE = 2 ** 30

export class MadeTexts {
  readonly bytes: Uint8Array
  length = 0

  constructor(size: number) {
    this.bytes = new Uint8Array(size)
  }

  /** Where the last text ends. */
  get end(): number {
    return MADE + this.length
  }

  quoted(bytes: Uint8Array, start: number, end: number): number {
    const from = this.#begin(end - start + 2)
    if (from === 0) return 0
    this.#put(QUOTE)
    for (let at = start; at < end; at++) this.#put(bytes[at]!)
    this.#put(QUOTE)
    return from
  }

  /** Two digits for each byte. */
  hex(bytes: Uint8Array, start: number, end: number): number {
    const from = this.#begin(2 * (end - start))
    if (from === 0) return 0
    for (let at = start; at < end; at++) {
      this.#put(HEX_DIGITS[bytes[at]! >>> 4]!)
      this.#put(HEX_DIGITS[bytes[at]! & 15]!)
    }
    return from
  }

  /** A whole number that is not negative. */
  integer(value: number): number {
    let digits = 1
    for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++
    const from = this.#begin(digits)
    if (from === 0) return 0
    let rest = value
    for (let at = this.length + digits - 1; at >= this.length; at--) {
      const tens = Math.floor(rest / 10)
      this.bytes[at] = ZERO + rest - tens * 10
      rest = tens
    }
    this.length += digits
    return from
  }

  /** All of it ASCII. */
  ascii(text: string): number {
    const from = this.#begin(text.length)
    if (from === 0) return 0
    for (let at = 0; at < text.length; at++) this.#put(text.charCodeAt(at))
    return from
  }

  #begin(bytes: number): number {
    return this.length + bytes > this.bytes.length ? 0 : this.end
  }

  #put(byte: number): void {
    this.bytes[this.length++] = byte
  }
}

const QUOTE = 0x22
const ZERO = 0x30
const HEX_DIGITS = Buffer.from('0123456789abcdef')
