/** Texts come from strangers: halves of surrogate pairs and NUL cannot be stored, and every text has a limit. */
import { cutWithEllipsis } from '../../model/cut-text.ts'

const REPLACEMENT = '\ufffd'

/** NUL and lone surrogates become U+FFFD; everything else stays as it was sent. */
export function cleanText(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNSTORABLE, REPLACEMENT) : text
}

const SUSPECT = /[\0\ud800-\udfff]/
// With the u flag a valid pair is one code point, so the class only matches halves.
const UNSTORABLE = /[\0\ud800-\udfff]/gu

/** For reasons and errors: enough to recognise the value, on one line. */
export function shortened(value: unknown, maxCharacters = 40): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value))
  return cutWithEllipsis(cleanText(text).replace(/\s+/g, ' '), maxCharacters)
}
