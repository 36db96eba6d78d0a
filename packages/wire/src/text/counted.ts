const FORMAT = new Intl.NumberFormat('en-US')

/** `1,204`: a number in a sentence, for people and agents alike. What programs read stays a number. */
export function withCommas(count: number): string {
  return FORMAT.format(count)
}

/** `1 error`, `1,204 errors` */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${withCommas(count)} ${count === 1 ? noun : plural}`
}
