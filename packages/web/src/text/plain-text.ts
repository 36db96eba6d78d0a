/**
 * Text that a stranger wrote, made safe to look at: colour codes of terminals are left out, and characters that are
 * invisible or turn the line around become glyphs that can be seen. React writes what comes out as text, never as markup.
 */
// CSI and OSC sequences, then any other two-character escape.
const ANSI = /\u001b\[[0-?]*[ -/]*[@-~]|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[@-Z\\-_]/g
const INVISIBLE =
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: each of these stands alone, none is meant to combine
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu
/** Joins emoji into one; between other characters it hides. */
const JOINER = '\u200d'
const EMOJI_BEFORE = /\p{Extended_Pictographic}[\u{1f3fb}-\u{1f3ff}\ufe0f]?$/u

export function plainText(text: string): string {
  return text
    .replace(ANSI, '')
    .replace(INVISIBLE, (character, at: number, whole: string) =>
      character === JOINER && EMOJI_BEFORE.test(whole.slice(Math.max(0, at - 4), at)) ? character : glyph(character),
    )
}

/** On one line: line ends and tabs are shown, so that no record can pretend to be two. */
export function plainLine(text: string): string {
  return plainText(text)
    .replace(/\r\n|[\r\n]/g, ' ↵ ')
    .replace(/\t/g, ' ')
}

function glyph(character: string): string {
  const code = character.codePointAt(0) ?? 0
  // Line ends keep their place in a text of several lines; the pictures of Unicode stand for the rest of the controls.
  if (character === '\r') return ''
  if (code < 0x20) return String.fromCodePoint(0x2400 + code)
  if (code === 0x7f) return '␡'
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`
}
