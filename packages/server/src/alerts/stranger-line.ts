/** A stranger's text on one line of a message: nothing unseen, nothing that a terminal obeys, and nothing that becomes a link by itself. */
import { harmlessText, onOneLine } from '@tidemark/wire/text/stranger-text'
import { cutWithin } from '../model/cut-text.ts'

const MAX_CHARACTERS = 300
/** What is looked at: a text of megabytes costs no more than its beginning. */
const MAX_READ = 4_000

export function strangerLine(text: string, maxCharacters = MAX_CHARACTERS): string {
  return cutWithin(
    onOneLine(harmlessText(text.slice(0, MAX_READ)))
      .replaceAll('\t', ' ')
      .trim(),
    maxCharacters,
  )
}

/** Mail programs and chats make links of bare addresses. Written like this they do not, and people still read them. */
export function unlinked(line: string): string {
  return line.replaceAll('://', '[:]//').replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}[.]`)
}
