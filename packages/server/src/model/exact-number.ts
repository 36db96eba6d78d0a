/**
 * Whether a number as written in JSON survives being read as a double: it neither overflows nor vanishes, and beyond
 * 2^53 no digit of it changes. Fractions are rounded to the nearest double as everywhere.
 */
export function survivesAsDouble(token: string): boolean {
  const number = Number(token)
  if (!Number.isFinite(number)) return false
  if (number === 0) return !/[1-9]/.test(token.split(/e/i, 1)[0] ?? '')
  if (Math.abs(number) <= Number.MAX_SAFE_INTEGER) return true
  return token.length <= MAX_CHARACTERS && canonical(token) === canonical(String(number))
}

/** More than the 309 digits of the largest double. A longer one is not worth comparing, and would take long. */
const MAX_CHARACTERS = 400

/** Sign, digits without zeros at either end, and the power of ten they are multiplied with. */
function canonical(token: string): string {
  const [mantissa = '', exponent = '0'] = token.toLowerCase().split('e')
  const [whole = '', fraction = ''] = mantissa.replace(/^[+-]/, '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return `${token.startsWith('-') ? '-' : ''}${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}
