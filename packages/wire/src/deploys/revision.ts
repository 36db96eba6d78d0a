/** What names a revision: a hash of git, the beginning of one, or whatever else a team calls its releases. */

/** As many as git shows: to be recognised, and to be found again. */
const SHOWN_DIGITS = 7
/** What is shorter is shown whole. */
const CUT_FROM = 12

/** Shorter ones could too easily be something else. */
export const SHORTEST_HASH = 7
/** The beginning of a hash, or all of it. */
const HASH_FORM = new RegExp(`^[0-9a-f]{${SHORTEST_HASH},64}$`, 'i')
/** Of SHA-1 or SHA-256: nothing else has this form. */
const WHOLE_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/i

/** Whether git may be asked for it. A word such as `defaced` has the form too; git knows whether it is a hash. */
export function hasHashForm(text: string): boolean {
  return HASH_FORM.test(text)
}

/** Whether it is taken for a hash where nobody can be asked: with a digit, which no word has. */
export function isHash(text: string): boolean {
  return hasHashForm(text) && /\d/.test(text)
}

/** In titles and sentences: the beginning of a hash; any other name as it is. The line of a deploy for agents has all of it. */
export function shortRevision(revision: string): string {
  // Digits alone are a date or the number of a build, and tell nothing by their beginning.
  const isBeginning = revision.length >= CUT_FROM && isHash(revision) && /[a-f]/i.test(revision)
  return isBeginning || WHOLE_HASH.test(revision) ? revision.slice(0, SHOWN_DIGITS) : revision
}

/** Whether two names mean one revision: one is the other, or the beginning of its hash. */
export function isSameRevision(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  if (a === b) return a !== ''
  return isHash(a) && isHash(b) && (a.startsWith(b) || b.startsWith(a))
}
