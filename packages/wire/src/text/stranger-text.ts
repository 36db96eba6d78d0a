/**
 * Which characters of a stranger's text a reader cannot see or a terminal obeys. They are listed once; what is done
 * about them (left out, shown, replaced, escaped) is each door's own. Code points are written out instead of Unicode's
 * properties, because those change with the engine and the browser; the test compares them with the properties. Tab and
 * line feed are none of them: a door that makes one line of a text replaces those itself.
 */
import { cutToUnits, cutWithin } from './cut-text.ts'

/** Move the cursor, ring, or begin a sequence. U+0080 to U+009F are the same in one byte, and terminals obey them too. */
const CONTROLS = '\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f'
/** Begin a new line or paragraph where most programs see none, so one record could pose as two. */
const LINE_SEPARATORS = '\\u2028\\u2029'
/** Turn the direction of the text around them: `gnp.exe` reads as `exe.png`. */
const BIDI = '\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069'
/** Soft hyphen, joiners, fillers, format and annotation marks: words that look alike differ, and text hides between them. */
const INVISIBLE =
  '\\xad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b-\\u200d\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff0-\\ufffb\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}'
/** Choose the form of the character before them. There are 260: a row of them carries any text, and a model reads it. */
const VARIATION_SELECTORS = '\\u180b-\\u180d\\u180f\\ufe00-\\ufe0f\\u{e0100}-\\u{e01ef}'
/** A second, invisible ASCII, and the rest of its plane, which Unicode keeps for more of the kind. */
const TAGS = '\\u{e0000}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}'
/** Half of a pair: no character at all. Wherever it is written it becomes another one. */
const SURROGATES = '\\p{Surrogate}'

/** For a character class with the flag `u`. */
export const UNSEEN_CHARACTERS = `${CONTROLS}${LINE_SEPARATORS}${BIDI}${INVISIBLE}${VARIATION_SELECTORS}${TAGS}${SURROGATES}`
const UNSEEN = `[${UNSEEN_CHARACTERS}]`

/**
 * Where some of them belong: emoji that are joined or have a form, keycaps, and variants of Han and Mongolian letters.
 * One selector at most, and only after what it can change, so that nothing hides there.
 */
const EMOJI = '\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|[\\ufe0e\\ufe0f])?'
const WRITTEN = `${EMOJI}(?:\\u200d${EMOJI})*|[0-9#*]\\ufe0f\\u20e3|\\p{Script=Han}[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]|(?=\\p{L})\\p{Script=Mongolian}[\\u180b-\\u180d\\u180f]`

const EVERY_UNSEEN = new RegExp(UNSEEN, 'gu')
const WRITTEN_OR_UNSEEN = new RegExp(`(${WRITTEN})|${UNSEEN}`, 'gu')
/** Printable ASCII on any number of lines: nothing can hide in it. */
const PLAIN_TEXT = /^[\t\n\x20-\x7e]*$/

/**
 * OSC, DCS, PM, APC and SOS strings with their content (links, titles, clipboard writes), then CSI, then short escapes.
 * A string that never ends loses only its beginning: otherwise one stray byte would hide the rest of a record.
 */
const TERMINAL_SEQUENCES =
  /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c)|(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g

/** What replaces one character. */
type Shown = (character: string) => string

/** `shown` for all of them, wherever they are. */
export function replaceUnseen(text: string, shown: Shown): string {
  return PLAIN_TEXT.test(text) ? text : text.replace(EVERY_UNSEEN, shown)
}

/** `shown` for those that hide or steer. Emoji and letters that are written with some of them stay as people read them. */
export function replaceUnseenBetweenLetters(text: string, shown: Shown): string {
  if (PLAIN_TEXT.test(text)) return text
  return text.replace(WRITTEN_OR_UNSEEN, (found, written?: string) => written ?? shown(found))
}

/** For names that people give: one line, of which everything can be seen. */
export function isSeenWhole(name: string): boolean {
  return !/[\t\n]/.test(name) && replaceUnseenBetweenLetters(name, () => '') === name
}

/** Colours, titles, links and whatever else a terminal would carry out, by default left out whole. */
export function replaceTerminalSequences(text: string, shown: (sequence: string) => string = () => ''): string {
  return text.replace(TERMINAL_SEQUENCES, shown)
}

/** Line ends are shown instead: they would let a record pose as several. */
export function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ⏎ ')
}

/**
 * For agents, messages and whatever is pasted elsewhere: nothing that a terminal obeys, nothing unseen, inside emoji neither,
 * one kind of line end, one form of each letter. This is about visibility, not about meaning: words stay, whatever they say.
 */
export function harmlessText(text: string): string {
  if (PLAIN_TEXT.test(text)) return text
  const lines = withLineFeeds(replaceTerminalSequences(text))
  return replaceUnseen(lines, (one) => (/\p{Cs}/u.test(one) ? '\ufffd' : '')).normalize('NFC')
}

const MAX_LINE_CHARACTERS = 300
/** What is looked at: a text of megabytes costs no more than its beginning. */
const MAX_READ_CHARACTERS = 4_000

/** One line of a message that leaves the service, or is pasted elsewhere. */
export function strangerLine(text: string, maxCharacters = MAX_LINE_CHARACTERS): string {
  const line = onOneLine(harmlessText(cutToUnits(text, MAX_READ_CHARACTERS))).replaceAll('\t', ' ')
  return cutWithin(line.trim(), maxCharacters)
}

/** Mail programs and chats make links of bare addresses. Written like this they do not, and people still read them. */
export function unlinked(line: string): string {
  return line.replaceAll('://', '[:]//').replace(/\bwww\./gi, (found) => `${found.slice(0, 3)}[.]`)
}

/**
 * What stands between the code marks of a chat or a tracker. The marks alone are not enough: some receivers make links and
 * mentions inside them too, so addresses are unlinked and `@` is a look-alike. A mark would end them, so it becomes an
 * apostrophe; nothing between them would be read as two marks.
 */
export function codeText(text: string): string {
  return unlinked(strangerLine(text)).replaceAll('`', "'").replaceAll('@', '＠') || '(empty)'
}

/** Every end of a line that some program knows, as one line feed. */
export function withLineFeeds(text: string): string {
  return text.replace(/\r\n?|[\x85\u2028\u2029]/g, '\n')
}
