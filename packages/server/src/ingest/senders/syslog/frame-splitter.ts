/**
 * Bytes of a connection to messages, as RFC 6587 frames them: `<length> <message>`, or a message up to the end of its
 * line. The first message decides which of the two it is. If each message decided anew, a text with a line end and a
 * number in it could hide what follows. What is held is one unfinished message at most; one that is too long is passed
 * over as it comes, never kept.
 */
import { MAX_SYSLOG_MESSAGE_BYTES } from '../../limits.ts'
import { HeldBytes } from '../held-bytes.ts'

/** A length with more digits is no length of a message that anybody would send. */
const MAX_LENGTH_DIGITS = 8
/** More digits than this begin a line, whatever follows them: they are not looked at again with every byte that comes. */
const MAX_DIGITS = 20

type FrameHandler = {
  /** The bytes are the handler's to keep. */
  message(bytes: Buffer): void
  /** A message longer than `MAX_SYSLOG_MESSAGE_BYTES` went by. */
  tooLong(): void
}

export class FrameSplitter {
  readonly #handler: FrameHandler
  readonly #held = new HeldBytes()
  #framing: 'unknown' | 'counted' | 'lines' = 'unknown'
  /** Bytes of a counted message that are still passed over; `Infinity` up to the end of the line. */
  #skipping = 0

  constructor(handler: FrameHandler) {
    this.#handler = handler
  }

  /** False when what follows can no longer be told apart: the connection is of no more use. */
  push(chunk: Buffer): boolean {
    const bytes = this.#held.append(chunk)
    // Bytes that were looked at are not looked at again for the end of a line.
    let searched = bytes.length - chunk.length
    let at = 0
    while (at < bytes.length) {
      if (this.#skipping > 0) {
        at = this.#skip(bytes, at)
        continue
      }
      if (this.#framing === 'lines') {
        const end = bytes.indexOf(LINE_END, Math.max(at, searched))
        if (end === -1) {
          if (bytes.length - at <= MAX_SYSLOG_MESSAGE_BYTES) break
          this.#handler.tooLong()
          this.#skipping = Number.POSITIVE_INFINITY
          at = bytes.length
          continue
        }
        this.#emit(bytes.subarray(at, end))
        at = end + 1
      } else {
        // Some end a counted message with a line end that they do not count.
        if (isFrameByte(bytes[at]!)) {
          at++
          continue
        }
        const length = lengthAt(bytes, at)
        if (length === 'incomplete') break
        if (this.#framing === 'unknown') {
          this.#framing = length?.isBeforeMessage ? 'counted' : 'lines'
          continue
        }
        if (length === null || length.digits > MAX_LENGTH_DIGITS) return false
        const { from, size } = length
        if (size > MAX_SYSLOG_MESSAGE_BYTES) {
          this.#handler.tooLong()
          this.#skipping = size
          at = from
          continue
        }
        if (bytes.length - from < size) break
        this.#emit(bytes.subarray(from, from + size))
        at = from + size
      }
      searched = 0
    }
    this.#held.hold(bytes.subarray(at))
    return true
  }

  /** The last line may come without its end; a counted message that is not complete is not a message. */
  end(): void {
    const rest = this.#held.take()
    if (rest.length > 0 && this.#skipping === 0 && this.#framing !== 'counted') this.#emit(rest)
  }

  #skip(bytes: Buffer, at: number): number {
    if (this.#skipping === Number.POSITIVE_INFINITY) {
      const end = bytes.indexOf(LINE_END, at)
      if (end === -1) return bytes.length
      this.#skipping = 0
      return end + 1
    }
    const skipped = Math.min(this.#skipping, bytes.length - at)
    this.#skipping -= skipped
    return at + skipped
  }

  /** Carriage returns, NULs and line ends around a message are those of its frame; nothing between two of them is no message. */
  #emit(bytes: Buffer): void {
    let start = 0
    let end = bytes.length
    while (start < end && isFrameByte(bytes[start]!)) start++
    while (end > start && isFrameByte(bytes[end - 1]!)) end--
    if (end === start) return
    if (end - start > MAX_SYSLOG_MESSAGE_BYTES) this.#handler.tooLong()
    else this.#handler.message(Buffer.from(bytes.subarray(start, end)))
  }
}

type Length = { digits: number; from: number; size: number; isBeforeMessage: boolean } | 'incomplete' | null

/** `123 <`: a line may begin with a number too, so a first message after a length has to begin like one. */
function lengthAt(bytes: Buffer, at: number): Length {
  if (!isDigit(bytes[at]!) || bytes[at] === ZERO) return null
  let end = at
  while (end < bytes.length && end - at <= MAX_DIGITS && isDigit(bytes[end]!)) end++
  if (end - at > MAX_DIGITS) return null
  if (end === bytes.length) return 'incomplete'
  if (bytes[end] !== SPACE) return null
  const from = end + 1
  if (from === bytes.length) return 'incomplete'
  const size = Number(bytes.toString('latin1', at, end))
  return { digits: end - at, from, size, isBeforeMessage: bytes[from] === OPENING }
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

function isFrameByte(byte: number): boolean {
  return byte === LINE_END || byte === CARRIAGE_RETURN || byte === 0
}

const LINE_END = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20
const ZERO = 0x30
const OPENING = 0x3c
