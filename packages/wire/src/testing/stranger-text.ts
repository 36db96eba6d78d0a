/** What hostile senders put into a text, for the tests of every door that shows one. */

/** By Unicode's properties, not by our own list. Tab and line feed are what a door may keep. */
const UNSEEN =
  /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Variation_Selector}\p{Zl}\p{Zp}\p{Cs}]|[\ufff9-\ufffb]/gu

/** The code points in it that cannot be seen or that steer. */
export function unseenIn(text: string): string[] {
  return [...text.matchAll(UNSEEN)].map(([one]) => `U+${one.codePointAt(0)?.toString(16)}`)
}

/** `before` and `after` are read by everyone; what is between them must not be there unseen. */
export const HOSTILE_TEXTS: [what: string, text: string][] = Object.entries({
  'a colour': '\x1b[31m',
  'a cleared screen': '\x1b[2J\x1b[1;1H',
  'a title': '\x1b]0;owned\x07',
  'a link': '\x1b]8;;https://evil.example\x1b\\',
  'a clipboard write': '\x1b]52;c;cm0gLXJm\x07',
  'a device control string': '\x1bPq#0\x1b\\',
  'a one-byte control sequence': '\x9b2J',
  'a one-byte string': '\x9d0;owned\x9c',
  'an escape split by a joiner': '\x1b\u200b[31m',
  'controls that ring and erase': '\x00\x07\x08\x7f',
  'a carriage return': '\r',
  'other line ends': '\x85\u2028\u2029',
  'a turned direction': '\u202egnp.exe\u202c',
  'isolated directions': '\u2066\u2067\u2068\u2069',
  'direction marks': '\u061c\u200e\u200f',
  'a soft hyphen and joiners': '\xad\u034f\u200b\u200c\u200d\u2060\ufeff',
  'Hangul and Khmer fillers': '\u115f\u1160\u3164\uffa0\u17b4\u17b5',
  'Mongolian marks': '\u180b\u180c\u180d\u180e\u180f',
  'format marks of old': '\u2064\u2065\u206a\u206f\ufff0\ufff9\ufffa\ufffb',
  'shorthand and music marks': '\u{1bca0}\u{1bca3}\u{1d173}\u{1d17a}',
  'hidden ASCII': '\u{e0001}\u{e0068}\u{e0069}\u{e007f}',
  'the rest of that plane': '\u{e0080}\u{e01f0}\u{e0fff}',
  'variation selectors': '\ufe00\ufe0e\ufe0f',
  'hidden bytes': '\u{e0100}\u{e0123}\u{e01ef}',
  'bytes hidden behind an emoji': '😀\u{e0158}\u{e0159}',
  'a joiner after an emoji': '😀\u200d',
  'half a character': '\ud800',
}).map(([what, hidden]) => [what, `before${hidden}after`])

/** What people write with such characters, and must be able to read. */
export const ORDINARY_TEXTS = [
  'Größe 你好 مرحبا नमस्ते 🚀',
  'Deployed ✅ ❤️ ⚠️ ©️ 1️⃣ #️⃣',
  '👩🏽‍🚒 👨‍👩‍👧‍👦 🏳️‍🌈 🕵🏽‍♂️',
  '葛\u{e0100}城',
]
