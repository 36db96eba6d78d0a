/**
 * Finds the end of secrets that a regular expression cannot delimit: of quoted values, cookie headers, private keys,
 * passwords in addresses and elements of XML. Each looks at each character a bounded number of times.
 */
import { isSecretField, secretValueTest } from './secret-field.ts'

const BACKSLASH = 0x5c
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Where a quoted value ends that begins at `start`. `opening` is the text just before it, which ends with the opening
 * quote (in a URL `%22` or `%27`, in HTML `&quot;`). In JSON inside JSON quotes are escaped again: one opened after 1, 3 or 7 backslashes
 * is closed by one after as many, and a quote inside the value has more. A doubled quote (SQL, CSV) is inside the value.
 * A line break ends a value that was never closed.
 */
export function quotedEnd(text: string, start: number, opening: string): number {
  const encoded = /(?:%2[27]|&(?:quot|#3[49]);)$/i.exec(opening)
  if (encoded !== null) return encodedEnd(text, start, encoded[0])
  const quote = opening.charCodeAt(opening.length - 1)
  const level = Math.floor(Math.log2(backslashesBefore(opening, opening.length - 1) + 1))
  const fewest = 2 ** level - 1
  let backslashes = 0
  for (let at = start; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === BACKSLASH) {
      backslashes++
      continue
    }
    if (character === LINE_FEED || character === CARRIAGE_RETURN) return at
    const own = backslashes % 2 ** (level + 1)
    if (character === quote && own <= fewest) {
      const isDoubled = level === 0 && at > start && text.charCodeAt(at + 1) === quote
      if (!isDoubled) return at - own
      at++
    }
    backslashes = 0
  }
  return text.length
}

function backslashesBefore(text: string, end: number): number {
  let count = 0
  while (text.charCodeAt(end - 1 - count) === BACKSLASH) count++
  return count
}

/** The quote as it looks in a URL or in HTML. */
function encodedEnd(text: string, start: number, quote: string): number {
  const end = new RegExp(`${quote}|[\\r\\n]`, 'g')
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
}

/**
 * Returns the end of the lines that are indented as far as the one at `start`, where `begin` ends: those of a block of YAML.
 * Inside JSON line breaks are escaped, and a quote ends the block.
 */
export function blockEnd(text: string, start: number, begin: string): number {
  const [, lineBreak = '', indent = ''] = /(\\n|\n)([ \t]*)$/.exec(begin) ?? []
  const rest = lineBreak === '\n' ? '[^\\r\\n]*' : '(?:\\\\(?!n).|[^\\r\\n"\\\\])*'
  const line = new RegExp(`${rest}((?:\\r?\\n|\\\\n)${indent})?`, 'y')
  for (let at = start; ; ) {
    line.lastIndex = at
    const [whole = '', next = ''] = line.exec(text) ?? []
    at += whole.length
    if (next === '') return at
  }
}

/** Where the pairs of a `Cookie` or `Set-Cookie` header end that begin at `start`. */
export function cookieEnd(text: string, start: number, header: string): number {
  const isInQuotes = text.charAt(start - header.length - 1) === "'"
  const pair = isInQuotes ? PAIR_IN_QUOTES : PAIR
  let end = start
  for (let at = start; ; ) {
    pair.lastIndex = at
    if (!pair.test(text)) return end
    end = pair.lastIndex
    SEPARATOR.lastIndex = end
    if (!SEPARATOR.test(text)) return end
    at = SEPARATOR.lastIndex
  }
}

/** A date has a comma and spaces; any other value has neither, unless it is quoted. */
const DATE = 'expires=[A-Za-z]{3,9}, ?[A-Za-z0-9: -]{8,30}GMT'
const QUOTED = '\\\\*"[^"\\r\\n]*"'
const PAIR = new RegExp(`${DATE}|[^\\s=;,"\\\\]+(?:=(?:${QUOTED}|(?:[^\\s;,"\\\\]|,(?! ))*))?`, 'iy')
const PAIR_IN_QUOTES = new RegExp(`${DATE}|[^\\s=;,"'\\\\]+(?:=(?:${QUOTED}|(?:[^\\s;,"'\\\\]|,(?! ))*))?`, 'iy')
/** Several headers are joined with commas; after one there is another cookie, not the rest of a sentence. */
const SEPARATOR = /;[ \t]{0,4}|,[ \t]{0,4}(?=[^\s=;,"'\\]{1,128}=)/y

const DASHES = '(?:-{5}|(?:%2[dD]){5})'
const BLANK = '(?: |\\+|%20)'
/** As it is, and as it looks in a URL. */
export const PRIVATE_KEY_BEGIN: string = `${DASHES}BEGIN${BLANK}(?:[A-Z0-9]{1,20}${BLANK}){0,3}PRIVATE${BLANK}KEY(?:${BLANK}BLOCK)?${DASHES}`
const KEY_BEGIN = new RegExp(PRIVATE_KEY_BEGIN, 'y')
const NEXT_MARK = new RegExp(`${DASHES}(?:BEGIN|(END)${BLANK}[A-Z0-9 +%]{0,60}KEY(?:${BLANK}BLOCK)?${DASHES})`, 'g')
const KEY_BODY = /(?:[A-Za-z0-9+/=\\\s:,.%]|-(?!-))*/y
/** A line of a key after whatever a logger puts before each line. */
const LINE_WITH_PREFIX = /[^\r\n]{0,200}?[^A-Za-z0-9+/\r\n][A-Za-z0-9+/]{32,76}={0,2}["',\\]{0,4}(?:[\r\n]|\\[rn]|$)/y

/** Returns the end of the private key whose BEGIN mark is at `start`: after its END mark, or where the key was cut. */
export function privateKeyEnd(text: string, start: number): number {
  KEY_BEGIN.lastIndex = start
  KEY_BEGIN.test(text)
  const body = KEY_BEGIN.lastIndex
  NEXT_MARK.lastIndex = body
  const [, isEnd] = NEXT_MARK.exec(text) ?? []
  if (isEnd !== undefined) return NEXT_MARK.lastIndex
  for (let end = body; ; ) {
    KEY_BODY.lastIndex = end
    KEY_BODY.test(text)
    LINE_WITH_PREFIX.lastIndex = KEY_BODY.lastIndex
    if (!LINE_WITH_PREFIX.test(text)) return KEY_BODY.lastIndex
    end = LINE_WITH_PREFIX.lastIndex
  }
}

const MAX_ADDRESS_CHARACTERS = 640
const HOST = /^(?:[A-Za-z0-9_.-]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:[/?#,;)\\]|$)/

/**
 * Returns the end of the password that begins at `start` in an address: its last `@`. A password may contain an unescaped
 * `@`, slash or `?`. Returns `start` if there is no password, for example after the colon before a port.
 */
export function addressPasswordEnd(text: string, start: number): number {
  const [run = ''] = /^[^\s"'<>]+/.exec(text.slice(start, start + MAX_ADDRESS_CHARACTERS)) ?? []
  const last = run.lastIndexOf('@')
  const mayBeLast = run[last - 1] !== '/' && HOST.test(run.slice(last + 1))
  const [authority = ''] = /^[^/?#]+/.exec(run) ?? []
  const at = authority.lastIndexOf('@')
  if (at === -1) return mayBeLast && last > 0 && !/^\d{0,5}(?:[/?#\\]|$)/.test(run) ? start + last : start
  // The digest of an image.
  if (run.startsWith('sha256:', at + 1)) return start
  // A host without a dot and a port before another `@` is rather a part of the password.
  const isCut =
    last > at && mayBeLast && !/[.:]|^localhost$/.test(authority.slice(at + 1)) && !run.slice(at, last).includes('?')
  return start + (isCut ? last : at)
}

/** `<` and `>` as they are, in HTML, in the JSON of some languages, and in a URL. */
const LESS = '(?:<|&lt;|\\\\{1,7}u003[cC]|%3[cC])'
const GREATER = '(?:>|&gt;|\\\\{1,7}u003[eE]|%3[eE])'
export const ELEMENT_BEGIN: string = `${LESS}(?:[\\w.-]{1,40}:)?[A-Za-z_][\\w.-]{0,80}(?:\\s[^<>]{0,300}?)?${GREATER}(?:<!\\[CDATA\\[)?`
const ELEMENT_NAME = new RegExp(`^${LESS}(?:[\\w.-]{1,40}:)?([A-Za-z_][\\w.-]{0,80}?)(?:\\s[^<>]*)?${GREATER}`)
const ELEMENT_END = new RegExp(`(\\]\\]>|${LESS}(?:/|\\\\{1,7}/|%2[fF]))|${LESS}`, 'g')

/** Returns the end of the text of an XML element, or `start` if its name is not that of a secret or it contains other elements. */
export function elementEnd(text: string, start: number, begin: string): number {
  const [, element = ''] = ELEMENT_NAME.exec(begin) ?? []
  const [, attribute = ''] = NAMING_ATTRIBUTE.exec(begin) ?? []
  if (![element, attribute].some((name) => isSecretField(name, NO_FIELDS, true) || secretValueTest(name))) return start
  ELEMENT_END.lastIndex = start
  const end = ELEMENT_END.exec(text)
  return end?.[1] === undefined ? start : end.index
}

const NAMING_ATTRIBUTE = /\s(?:name|key|id)=\\{0,7}["']([\w.-]{1,80})/i
const NO_FIELDS: ReadonlySet<string> = new Set()
