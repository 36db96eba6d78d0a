/** True for digits (with spaces or dashes) that a payment network would accept: its prefix, its length and the check digit. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, '')
  // A separator must be used throughout or not at all: "4111 1111-2222" is two numbers.
  if (/ /.test(text) && /-/.test(text)) return false
  return (
    NETWORKS.some(({ prefix, lengths }) => lengths.includes(digits.length) && prefix.test(digits)) && passesLuhn(digits)
  )
}

/** Returns true for a number that is a card number. Shorter numbers are too often sizes and times. */
export function isCardValue(value: number): boolean {
  return value >= 1e14 && Number.isSafeInteger(value) && isCardNumber(String(value))
}

const NETWORKS = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:6011|64[4-9]|65|62)/, lengths: [16, 19] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: [16] },
  { prefix: /^3(?:0[0-5]|[68])/, lengths: [14] },
  { prefix: /^(?:50|5[6-9]|6[37])/, lengths: [16] },
]

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = digits.charCodeAt(digits.length - 1 - index) - 0x30
    const doubled = index % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}
