import { COLON, COMMA, QUOTE } from './json-bytes.ts'

/** A place in JSON that moves on over what is expected there. White space before it is passed over. */
export class JsonCursor {
  bytes: Uint8Array = new Uint8Array()
  at = 0
  /** What was passed of braces, brackets and commas, as the JSON scan counts them. */
  values = 0

  begin(bytes: Uint8Array, at: number): void {
    this.bytes = bytes
    this.at = at
    this.values = 0
  }

  /** The byte that stands here; -1 at the end. */
  peek(): number {
    const { bytes } = this
    let at = this.at
    while (at < bytes.length && IS_SPACE[bytes[at]!]) at++
    this.at = at
    return at < bytes.length ? bytes[at]! : -1
  }

  /** Steps over this byte; false when there is another one. */
  take(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.at++
    return true
  }

  /** The same for a byte that counts as a value. */
  open(byte: number): boolean {
    if (!this.take(byte)) return false
    this.values++
    return true
  }

  /** True where another member or element follows, false where `close` ends them; null when neither stands here. */
  goesOn(close: number): boolean | null {
    if (this.open(COMMA)) return true
    return this.take(close) ? false : null
  }

  /** Steps over a name and its colon. */
  takeName(name: QuotedName): boolean {
    return this.take(QUOTE) && this.takeBytes(name) && this.take(COLON)
  }

  /** Exactly these bytes. */
  takeBytes(expected: Uint8Array): boolean {
    const { bytes, at } = this
    for (let index = 0; index < expected.length; index++) if (bytes[at + index] !== expected[index]) return false
    this.at = at + expected.length
    return true
  }
}

/** A name with the quote after it, so that no longer one is taken for it. */
type QuotedName = Uint8Array
export const quotedName = (name: string): QuotedName => new Uint8Array(Buffer.from(`${name}"`))

/** White space between the parts of a document. */
export const IS_SPACE: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[ \t\r\n]/.test(String.fromCharCode(byte)) ? 1 : 0,
)
