/** Texts come from strangers: halves of surrogate pairs and NUL cannot be stored, and every text has a limit. */

const REPLACEMENT = '\ufffd'

/** NUL and lone surrogates become U+FFFD; everything else stays as it was sent. */
export function cleanText(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNSTORABLE, REPLACEMENT) : text
}

const SUSPECT = /[\0\ud800-\udfff]/
// With the u flag a valid pair is one code point, so the class only matches halves.
const UNSTORABLE = /[\0\ud800-\udfff]/gu

/** At most `maxBytes` of UTF-8, never half a character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text)
  let end = maxBytes
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.toString('utf8', 0, end)
}

/** At most `maxCharacters` UTF-16 units, never half a surrogate pair. */
export function cutToCharacters(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  const last = text.charCodeAt(maxCharacters - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters)
}

/** For reasons and errors: enough to recognise the value, on one line. */
export function shortened(value: unknown, maxCharacters = 40): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  const line = cleanText(text).replace(/\s+/g, ' ')
  return line.length <= maxCharacters ? line : `${cutToCharacters(line, maxCharacters)}…`
}
