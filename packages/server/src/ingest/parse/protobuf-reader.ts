import { AppError } from '../../errors.ts'
import { nanoHalvesToUs } from '../record/timestamp.ts'

/**
 * Walks protobuf bytes field by field. Written by hand because a log batch is read once, front to back, and because every
 * length comes from a stranger: none is followed past the end of the message it is in.
 */
export class ProtobufReader {
  /** Some text held a NUL and needs cleaning. */
  sawNul = false

  readonly #bytes: Buffer
  #position = 0
  #end: number

  constructor(bytes: Buffer) {
    this.#bytes = bytes
    this.#end = bytes.length
  }

  /** At the end of the message that was entered last. */
  get isAtEnd(): boolean {
    return this.#position >= this.#end
  }

  /** Narrows the reader to the message that begins here. Returns what `leave` needs to widen it again. */
  enter(): number {
    const length = this.uint32()
    const outerEnd = this.#end
    if (length > outerEnd - this.#position) throw malformed()
    this.#end = this.#position + length
    return outerEnd
  }

  leave(outerEnd: number): void {
    this.#end = outerEnd
  }

  /** Where the message ends that was entered last. */
  get end(): number {
    return this.#end
  }

  get position(): number {
    return this.#position
  }

  /** Goes on from another place of the message that was entered last. */
  continueAt(position: number): void {
    this.#position = position
  }

  /** Field number times eight plus wire type. */
  tag(): number {
    const tag = this.uint32()
    if (tag >>> 3 === 0) throw malformed()
    return tag
  }

  /** A varint's low 32 bits, unsigned; enough for tags, lengths, enums, counts and booleans. */
  uint32(): number {
    let value = 0
    for (let shift = 0; shift < 70; shift += 7) {
      const byte = this.#byte()
      if (shift < 28) value |= (byte & 0x7f) << shift
      else if (shift === 28) value |= (byte & 0x0f) << 28
      if (byte < 0x80) return value >>> 0
    }
    throw malformed()
  }

  /** A signed 64-bit varint: a number when a double holds it, else its digits. */
  int64(): number | string {
    const start = this.#position
    let low = 0
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = this.#byte()
      low |= (byte & 0x7f) << shift
      if (byte < 0x80) return low
    }
    this.#position = start
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) {
        const signed = BigInt.asIntN(64, value)
        const number = Number(signed)
        return Number.isSafeInteger(number) ? number : signed.toString()
      }
    }
    throw malformed()
  }

  double(): number {
    return this.#bytes.readDoubleLE(this.#advance(8))
  }

  /** Nanoseconds in a fixed64, as whole microseconds, without losing digits to a double. */
  nanosAsUs(): number {
    const at = this.#advance(8)
    return nanoHalvesToUs(this.#bytes.readUInt32LE(at + 4), this.#bytes.readUInt32LE(at))
  }

  /** Bytes that are not UTF-8 become U+FFFD: log text is never refused for them. */
  text(): string {
    const length = this.uint32()
    const at = this.#advance(length)
    if (length > MAX_SHORT_TEXT_BYTES) return this.#decode(at, length)
    let text = ''
    for (let index = at; index < at + length; index++) {
      const byte = this.#bytes[index]!
      if (byte > 0x7f || byte === 0) return this.#decode(at, length)
      text += String.fromCharCode(byte)
    }
    return text
  }

  encoded(encoding: 'hex' | 'base64'): string {
    const length = this.uint32()
    const at = this.#advance(length)
    return this.#bytes.toString(encoding, at, at + length)
  }

  /** Skips a field nobody asked for, so that newer senders work. */
  skip(tag: number): void {
    switch (tag & 7) {
      case WIRE_VARINT:
        this.uint32()
        return
      case WIRE_FIXED64:
        this.#advance(8)
        return
      case WIRE_BYTES:
        this.#advance(this.uint32())
        return
      case WIRE_FIXED32:
        this.#advance(4)
        return
      default:
        throw malformed()
    }
  }

  #decode(at: number, length: number): string {
    const text = this.#bytes.toString('utf8', at, at + length)
    if (text.includes('\0')) this.sawNul = true
    return text
  }

  #byte(): number {
    if (this.#position >= this.#end) throw malformed()
    return this.#bytes[this.#position++]!
  }

  /** Where the bytes begin; they are known to lie inside this message. */
  #advance(length: number): number {
    const at = this.#position
    if (length > this.#end - at) throw malformed()
    this.#position = at + length
    return at
  }
}

/** Keys and short values are mostly ASCII; joining them here is cheaper than crossing into the runtime for each. */
const MAX_SHORT_TEXT_BYTES = 16

export const WIRE_VARINT = 0
export const WIRE_FIXED64 = 1
export const WIRE_BYTES = 2
const WIRE_FIXED32 = 5

function malformed(): AppError {
  return new AppError(
    'invalid_request',
    'The body is not a valid OTLP protobuf message. Check the exporter and its protocol.',
  )
}
