/**
 * Neither NUL nor half of a surrogate pair. SQLite's driver cuts a text at its first NUL, PostgreSQL refuses it, and half
 * a pair becomes another character wherever it is written, so what was sent would not be what is kept or looked for.
 */
export function isStorable(text: string): boolean {
  return storableText(text) === text
}

/** Why not, in words that follow a field's name. */
export const NOT_STORABLE = 'holds a NUL or half of a character pair (a lone surrogate)'

/** U+FFFD for what cannot be stored; everything else stays as it was sent. */
export function storableText(text: string): string {
  return SUSPECT.test(text) ? text.replace(UNSTORABLE, '\ufffd') : text
}

const SUSPECT = /[\0\ud800-\udfff]/
// With the u flag a valid pair is one code point, so the class only matches halves.
const UNSTORABLE = /[\0\ud800-\udfff]/gu
