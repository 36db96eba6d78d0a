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

/** At most the first `maxUnits` of UTF-16. */
export function cutToUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const last = text.charCodeAt(maxUnits - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits)
}

/** The same, and where something was cut an ellipsis on top. */
export function cutWithEllipsis(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : `${cutToUnits(text, maxUnits)}…`
}

/** For readers: the ellipsis is one of the units and follows a whole word, unless one word is most of the text. */
export function cutWithin(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const kept = cutToUnits(text, maxUnits - 1)
  const endsWord = /[\s,;:]/.test(text.charAt(kept.length))
  const space = endsWord ? kept.length : kept.search(/\s\S*$/)
  return `${(space > kept.length / 2 ? kept.slice(0, space) : kept).replace(/[\s,;:]+$/, '')}…`
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
