/** The beginning of a text, or its end, never with half a character where it was cut. */

/** At most the first `maxUnits` of UTF-16. */
export function cutToUnits(text: string, maxUnits: number): string {
  if (text.length <= maxUnits) return text
  const last = text.charCodeAt(maxUnits - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxUnits - 1 : maxUnits)
}

/** At most the last of them. */
export function cutToLastUnits(text: string, maxUnits: number): string {
  return text.length <= maxUnits ? text : text.slice(-maxUnits).replace(/^[\udc00-\udfff]/, '')
}

/** The beginning, and where something was cut an ellipsis on top. */
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
