/**
 * `1,204`: a number in a sentence, for people and agents alike. What programs read stays a number. Without `Intl` for
 * whole numbers: its first use holds up a page that has just been opened for some 50 ms.
 */
export function withCommas(count: number): string {
  return Number.isSafeInteger(count) ? String(count).replace(/\B(?=(?:\d{3})+$)/g, ',') : count.toLocaleString('en-US')
}

/** `1 error`, `1,204 errors` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${withCommas(count)} ${count === 1 ? noun : plural}`
}

/** `2.5`, `12`, `1,204`: a rate or a factor, with one decimal where that is a good part of it. Only nothing is `0`. */
export function amountWords(amount: number): string {
  if (amount > 0 && amount < 0.05) return 'under 0.1'
  return withCommas(amount >= 10 ? Math.round(amount) : Math.round(amount * 10) / 10)
}
