/** At most `max` UTF-16 units, never half a surrogate pair; says how much was cut. */
export function cutText(text: string, max: number): string {
  if (text.length <= max) return text
  return `${headOf(text, max)}… (${text.length - max} more characters)`
}

export function headOf(text: string, max: number): string {
  if (text.length <= max) return text
  const last = text.charCodeAt(max - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? max - 1 : max)
}

/** Bytes of the text in UTF-8. */
export function utf8Bytes(text: string): number {
  let bytes = text.length
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // A pair is four bytes for two units.
    if (unit >= 0xd800 && unit <= 0xdbff && isLowSurrogate(text.charCodeAt(at + 1))) at++
  }
  return bytes
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}

/** A longer integer is named by its kind: writing it out takes time that grows with its square. */
const MAX_INTEGER_BITS = 1_024

export function wordForInteger(value: bigint): string {
  return BigInt.asIntN(MAX_INTEGER_BITS, value) === value ? String(value) : '[bigint]'
}
