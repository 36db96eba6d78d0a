/** What the signs of all languages are made of. */

const POLITE = ['please', 'kindly', 'simply', 'just', 'now', 'then', 'next', 'first', 'and', 'so', 'also', 'ok', 'okay']
const polite = POLITE.map((word) => `[${word[0]!.toUpperCase()}${word[0]}]${word.slice(1)}`).join('|')
/** Where a sentence may begin: lines, quotes, brackets, the parts of our own rows, ends of sentences, list marks. */
export const START: string = `(?:^|[\\n⏎|"'\`>=({\\[.!?;:,-]\\s{0,4}|\\d\\)\\s{0,2}|[*#]{1,6}\\s{1,2})(?:(?:${polite})[\\s,]{1,3}){0,3}`
/** An address elsewhere: every development server prints those of its own machine in its first lines. */
export const URL: string = '(?:https?|ftp|wss?):\\/\\/(?!(?:localhost|127\\.|0\\.0\\.0\\.0|\\[::1?\\]))'

/** Whatever a sign finds contains one of the family's `hints`, in lower case. They are cheap and checked first. */
export type Family = { name: string; hints: readonly string[]; signs: readonly RegExp[] }

export function sign(source: string): RegExp {
  return new RegExp(source, 'i')
}
