/** What names a revision: a hash of git, the beginning of one, or whatever else a team calls its releases. */

/** In a sentence a hash only has to be recognised. */
const HASH_IN_SENTENCE = 7
/** A number of a build or a date may pass for a hash; they are shorter than this, and shown whole. */
const CUT_FROM = 12
/** On a line that is read by agents and on terminals: it may be copied, and must still be found. */
const REVISION_ON_LINE = 12

/** Shorter ones could too easily be something else. */
export const SHORTEST_HASH = 7
/** The beginning of a hash, or all of it. */
const HASH_FORM = new RegExp(`^[0-9a-f]{${SHORTEST_HASH},64}$`, 'i')

/** Whether git may be asked for it. A word such as `defaced` has the form too; git knows whether it is a hash. */
export function hasHashForm(text: string): boolean {
  return HASH_FORM.test(text)
}

/** Whether it is taken for a hash where nobody can be asked: with a digit, which no word has. */
export function isHash(text: string): boolean {
  return hasHashForm(text) && /\d/.test(text)
}

/** The beginning of a hash; any other name as it is. */
export function hashInSentence(revision: string): string {
  return revision.length >= CUT_FROM && isHash(revision) ? revision.slice(0, HASH_IN_SENTENCE) : revision
}

export function revisionOnLine(revision: string): string {
  return revision.slice(0, REVISION_ON_LINE)
}

/** Whether two names mean one revision: one is the other, or the beginning of its hash. */
export function isSameRevision(one: string, other: string): boolean {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()]
  if (a === b) return a !== ''
  return isHash(a) && isHash(b) && (a.startsWith(b) || b.startsWith(a))
}
