/** Between a number and its unit, and between the two parts of a length of time. */
const INSIDE = /(?<=\d) (?=(?:d|h|min|s|ms|µs|bytes?|[KMGTP]iB)(?!\w))|(?<=\d (?:d|h|min)) (?=\d+ (?:h|min|s)(?!\w))/g
const NO_BREAK = '\u00a0'

/** `4 min 12 s` never ends one line and begins the next. The only place that says so: durations, sizes and sentences come here. */
export function unbroken(text: string): string {
  return text.replace(INSIDE, NO_BREAK)
}
