const formats = new Map<number, Intl.NumberFormat>()

/** `1,234`, `12.5`, `0.004`. A formatter is slow to make, so each is made once, when it is needed. */
export function significant(number: number, digits: number): string {
  let format = formats.get(digits)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { maximumSignificantDigits: digits })
    formats.set(digits, format)
  }
  return format.format(number)
}
