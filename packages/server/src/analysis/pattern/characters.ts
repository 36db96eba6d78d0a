/** What each character can be part of. One table lookup per character is the whole cost of the pattern lexer. */
export const LETTER = 1
/** a-f: a letter too, but a word of nothing else may be a hash. */
export const HEX = 2
export const DIGIT = 4
export const GAP = 8
/** Stays inside a word when there are letters or digits on both sides. */
export const JOINER = 16
export const SLASH = 32
export const DOT = 64
export const AT = 128
export const BACKSLASH = 256
/** Ends a value that runs to the next white space, such as the right side of `key=`. */
export const VALUE_END = 512
export const OPENER = 1024
/** Letters of scripts beyond Latin, and symbols. */
export const WIDE = 2048
export const QUOTE = 4096
/** May begin a number or a path. */
export const SIGN = 8192
/** Stands between the items of a list. */
export const SEPARATOR = 16384
/** Not a class of characters: set by the lexer for a word with two slashes. */
export const SLASHES = 1 << 16
export const ALNUM = LETTER | HEX | DIGIT

/** From here on all characters are wide or blank, so marks come before. */
export const FIRST_WIDE = 0x250

/** Indexed by UTF-16 code unit. The lexer reads it in place: a call for each character would double its time. */
export const CLASS_OF = buildTable()

function buildTable(): Uint16Array {
  const classes = new Uint16Array(0x10000).fill(WIDE, FIRST_WIDE)
  classes.fill(GAP, 0, 33)
  classes.fill(LETTER, 0xc0, FIRST_WIDE)
  classes.fill(GAP, 0x2000, 0x200c)
  const set = (characters: string, cls: number) => {
    for (const character of characters) classes[character.charCodeAt(0)]! |= cls
  }
  for (const unit of [0x7f, 0x85, 0xa0, 0x2028, 0x2029, 0x3000, 0xfeff]) classes[unit] = GAP
  set('ghijklmnopqrstuvwxyzGHIJKLMNOPQRSTUVWXYZ_$', LETTER)
  set('abcdefABCDEF', HEX)
  set('0123456789', DIGIT)
  set('.-/@\\+~', JOINER)
  set('/', SLASH)
  set('.', DOT)
  set('@', AT)
  set('\\', BACKSLASH)
  set(',;)]}>|"\'`', VALUE_END)
  set('([{<', OPENER)
  set('"\'`', QUOTE)
  set('+-~./', SIGN)
  set('+,-./:;#|%>~', SEPARATOR)
  return classes
}
