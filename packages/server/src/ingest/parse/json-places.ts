/** Where things end in JSON that was not parsed. */
import { BACKSLASH, CLOSE_BRACE, OPEN_BRACE, QUOTE, SPACE } from '../../bytes/json-bytes.ts'
import { IS_SPACE } from '../../bytes/json-cursor.ts'

/** Where the text that begins at `start` ends; 0 for a text with escapes and for what is no text. */
export function endOfPlainText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  while (at < bytes.length && bytes[at]! >= SPACE && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  return bytes[start] === QUOTE && bytes[at] === QUOTE ? at + 1 : 0
}

/** Just after the brace that closes the one at `start`; 0 when there is none. */
export function endOfObject(bytes: Uint8Array, start: number): number {
  if (bytes[start] !== OPEN_BRACE) return 0
  let depth = 0
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === QUOTE) at = closingQuote(bytes, at)
    else if (byte === OPEN_BRACE) depth++
    else if (byte === CLOSE_BRACE && --depth === 0) return at + 1
  }
  return 0
}

function closingQuote(bytes: Uint8Array, open: number): number {
  let at = open + 1
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

export function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && IS_SPACE[bytes[at]!]) at++
  return at
}
