/**
 * Ingested text made safe for a terminal. Anyone who can write a log line could otherwise move the cursor, set the
 * title, write to the clipboard, or reverse the direction of the text beside it.
 */
import {
  onOneLine,
  replaceTerminalSequences,
  replaceUnseenBetweenLetters,
  withLineFeeds,
} from '@tidemark/wire/text/stranger-text'

/** Lines stay lines; tabs become spaces, because their width varies. A control character leaves a mark in its place. */
export function terminalText(text: string): string {
  const lines = withLineFeeds(replaceTerminalSequences(text)).replaceAll('\t', '    ')
  return replaceUnseenBetweenLetters(lines, (one) => (/[\p{Cc}\p{Cs}]/u.test(one) ? '\ufffd' : ''))
}

export function oneLine(text: string): string {
  return onOneLine(terminalText(text))
}

/** The same JSON, with everything that could steer or deceive a terminal as an escape. */
export function terminalJson(value: unknown, indent?: number): string {
  return replaceUnseenBetweenLetters(JSON.stringify(value, null, indent), (character) =>
    Array.from({ length: character.length }, (_, index) => {
      return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}
