/**
 * Applies the rules to percent-encoded parts of a text, such as an address in a parameter of another address. Few rules know
 * the encoded form of what they look for, so the part is decoded first and encoded again if a rule changed it.
 */
type Redact = (text: string) => string

/** An address in an address in an address. More levels only cost time. */
const MAX_LEVELS = 2

/** Ends where a parameter does, so the rest of an address keeps its notation. */
const RUN = /[^\s"<>&?#=]+/g
const ESCAPES = /%[0-7][0-9A-Fa-f]/g
const HAS_ESCAPE = /%[2-7][0-9A-Fa-f]/
const PLACEHOLDER = /(\[REDACTED:[a-z0-9-]{1,40}\])/

/** Each part is decoded a bounded number of times, so the cost stays in proportion to the length. */
export function redactEncoded(text: string, redact: Redact, level = 1): string {
  if (level > MAX_LEVELS || !HAS_ESCAPE.test(text)) return text
  return text.replace(RUN, (run) => {
    if (!HAS_ESCAPE.test(run)) return run
    const result = redactRun(run, redact, level, false)
    // Forms write a space as `+`. Elsewhere `+` belongs to base64, which is tried first.
    return result === run && level === 1 && run.includes('+') ? redactRun(run, redact, level, true) : result
  })
}

function redactRun(run: string, redact: Redact, level: number, isForm: boolean): string {
  const decoded = (isForm ? run.replaceAll('+', ' ') : run).replace(ESCAPES, decodeEscape)
  const redacted = redactEncoded(redact(decoded), redact, level + 1)
  if (redacted === decoded) return run
  // A letter or digit that was escaped somewhere is not escaped everywhere, and means the same without.
  const written = run.match(ESCAPES)!.map((code): [string, string] => [decodeEscape(code), code])
  const escapes = new Map(written.filter(([character]) => !/\w/.test(character)))
  const encode = (part: string) =>
    Array.from(part, (character) => escapes.get(character) ?? (isForm && character === ' ' ? '+' : character)).join('')
  // Every second part is a placeholder.
  return redacted
    .split(PLACEHOLDER)
    .map((part, index) => (index % 2 === 1 ? part : encode(part)))
    .join('')
}

function decodeEscape(written: string): string {
  return String.fromCharCode(Number.parseInt(written.slice(1), 16))
}
