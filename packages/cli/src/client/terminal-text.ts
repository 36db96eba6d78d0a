/**
 * Ingested text as a terminal may get it. Whoever can write a log line could otherwise move the cursor, set the title,
 * write to the clipboard, or turn the direction of what stands beside it.
 */

/** Whole sequences with their content: a title or a link is nothing to read. One that never ends loses its beginning. */
const SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g
const LINE_ENDS = /\r\n?|[\u2028\u2029\x85]/g
const CONTROLS = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/g
/** Direction marks and overrides, joiners, fillers and tag characters: what can hide or reorder text. */
const INVISIBLE =
  /\u034f|[\xad\u061c\u115f\u1160]|[\u17b4\u17b5]|[\u180b-\u180f]|[\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb]|[\u{1d173}-\u{1d17a}]|[\u{e0000}-\u{e0fff}]/gu
const LONE_SURROGATES = /\p{Cs}/gu
const PLAIN = /^[\n\x20-\x7e]*$/

/** Lines stay lines; tabs become spaces, because their width is the terminal's. */
export function terminalText(text: string): string {
  if (PLAIN.test(text)) return text
  return text
    .replace(SEQUENCES, '')
    .replace(LINE_ENDS, '\n')
    .replaceAll('\t', '    ')
    .replace(CONTROLS, '\ufffd')
    .replace(INVISIBLE, '')
    .replace(LONE_SURROGATES, '\ufffd')
}

export function oneLine(text: string): string {
  return terminalText(text).replace(/\s*\n\s*/g, ' ⏎ ')
}

/** The same JSON, with everything that could steer or deceive a terminal as an escape. */
export function terminalJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replace(
    /[\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]|[\u{e0000}-\u{e0fff}]/gu,
    (character) =>
      Array.from({ length: character.length }, (_, index) => {
        return `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
      }).join(''),
  )
}
