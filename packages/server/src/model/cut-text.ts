/** A part of a text, never with half a character at its end. */

/** At most the first `maxBytes` of UTF-8. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes || Buffer.byteLength(text) <= maxBytes) return text
  const bytes = Buffer.from(text)
  let end = maxBytes
  while (end > 0 && isInside(bytes[end])) end--
  return bytes.toString('utf8', 0, end)
}

/** At most the last `maxBytes` of UTF-8. */
export function cutToLastBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  let start = Math.max(0, bytes.length - maxBytes)
  while (isInside(bytes[start])) start++
  return bytes.toString('utf8', start)
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
