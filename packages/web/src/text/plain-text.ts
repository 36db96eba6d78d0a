/**
 * Text that a stranger wrote, made safe to look at: colour codes of terminals are left out, and characters that are
 * invisible or turn the line around become glyphs that can be seen. React writes what comes out as text, never as markup.
 */

import { cutToUnits } from '@tidemark/wire/text/cut-text'
import { onOneLine, replaceTerminalSequences, replaceUnseenBetweenLetters } from '@tidemark/wire/text/stranger-text'
import { unbroken } from './unbroken.ts'

export function plainText(text: string): string {
  // An escape that begins nothing has no sequence to go with, so it is shown.
  const uncoloured = replaceTerminalSequences(text, (sequence) => (sequence.length === 1 ? sequence : ''))
  return replaceUnseenBetweenLetters(uncoloured, glyph)
}

/** Printable ASCII, as most of what is shown is: nothing in it can hide or steer. */
const PLAIN_LINE = /^[\x20-\x7e]*$/

export function plainLine(text: string): string {
  if (PLAIN_LINE.test(text)) return text
  return onOneLine(plainText(text)).replaceAll('\t', ' ')
}

/** Where there is no room for more than so many characters, the rest is not even looked at. */
export function plainBeginning(text: string, maxCharacters: number): string {
  return plainLine(cutToUnits(text, maxCharacters))
}

/** A sentence of the service. It may quote a stranger; its numbers stay with their units. */
export function plainSentence(text: string): string {
  return unbroken(plainLine(text))
}

function glyph(character: string): string {
  const code = character.codePointAt(0) ?? 0
  // Line ends keep their place in a text of several lines; Unicode's control pictures stand for the other controls.
  if (character === '\r') return ''
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
