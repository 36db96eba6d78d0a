/** Names and what is missing, as they are written in a sentence. Amounts and lengths of time are in `wire`. */

import { shortRevision } from '@tidemark/wire/deploys/revision'
import { cutWithin } from '@tidemark/wire/text/cut-text'

const MAX_NAME_IN_SENTENCE_CHARACTERS = 60
/** Longer than a name: the end of an error's message is often what tells it from others. */
const MAX_TITLE_IN_SENTENCE_CHARACTERS = 100

/** Said wherever an answer lacks what only the records tell, which is so for moments at a time. */
export function awayWords(whatIsMissing: string): string {
  return `The log store did not answer, so ${whatIsMissing}: try again in a moment.`
}

/** A stranger's name on one short line: the sentences are ours, the names are not. */
export function nameWords(name: string, maxCharacters = MAX_NAME_IN_SENTENCE_CHARACTERS): string {
  const line = oneShortLine(name, maxCharacters).trim()
  return line === '' ? '(empty)' : line
}

/** The title of an analysis or a commit in a sentence. */
export function titleWords(title: string): string {
  return nameWords(title, MAX_TITLE_IN_SENTENCE_CHARACTERS)
}

/** The same with quotes where spaces at an end are why two names differ: they cannot be seen without. */
export function exactNameWords(name: string): string {
  const line = oneShortLine(name)
  return line === line.trim() && line !== '' ? line : JSON.stringify(line)
}

export function oneShortLine(text: string, maxCharacters = MAX_NAME_IN_SENTENCE_CHARACTERS): string {
  return cutWithin(text.replace(/[\s\p{Cc}]+/gu, ' '), maxCharacters)
}

/** Only the beginning of a hash; other revisions as they are. */
export function shaWords(sha: string): string {
  return nameWords(shortRevision(sha))
}
