/** More digits may not come back from a double as they were written. */
const MAX_DIGITS = 15
const POINT = 0x2e
const MINUS = 0x2d

/**
 * Where the number ends that begins at `start`, when a double that holds it is written with the same characters; else 0.
 * Exponents, zeros that could be left out and very small fractions are written in another way.
 */
export function walkNumber(bytes: Uint8Array, start: number): number {
  const whole = bytes[start] === MINUS ? start + 1 : start
  let at = endOfDigits(bytes, whole)
  const isZero = bytes[whole] === ZERO
  if (at === whole || (isZero && (at > whole + 1 || whole > start))) return 0
  let digits = at - whole
  if (bytes[at] === POINT) {
    const fraction = at + 1
    at = endOfDigits(bytes, fraction)
    digits += at - fraction
    if (at === fraction || bytes[at - 1] === ZERO) return 0
    if (isZero && endOfZeros(bytes, fraction) - fraction > MAX_LEADING_ZEROS) return 0
  }
  if (digits === MAX_DIGITS && bytes[whole] === THREE) return 0
  return digits <= MAX_DIGITS ? at : 0
}

const ZERO = 0x30
/** With as many digits as are read here, only cards that begin with it. */
const THREE = 0x33
/** 0.000001 is written so, 0.0000001 as 1e-7. */
const MAX_LEADING_ZEROS = 5

function endOfDigits(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && bytes[at]! >= ZERO && bytes[at]! <= 0x39) at++
  return at
}

function endOfZeros(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] === ZERO) at++
  return at
}
