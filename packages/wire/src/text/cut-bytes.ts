/** A part of a text by its bytes of UTF-8, never with half a character at its end. */

const encoder = new TextEncoder()
/** A mark of byte order is a character like any other. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** At most the first `maxBytes`. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (text.length * 3 <= maxBytes) return text
  const bytes = encoder.encode(text)
  if (bytes.length <= maxBytes) return text
  let end = maxBytes
  while (end > 0 && isInside(bytes[end])) end--
  return decoder.decode(bytes.subarray(0, end))
}

/** At most the last `maxBytes`. */
export function cutToLastBytes(text: string, maxBytes: number): string {
  const bytes = encoder.encode(text)
  let start = Math.max(0, bytes.length - maxBytes)
  while (isInside(bytes[start])) start++
  return decoder.decode(bytes.subarray(start))
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
