/**
 * Finds the end of secrets that a regular expression cannot delimit: a quoted value ends at its closing quote, not at an
 * escaped one, and a cookie header after its last pair. Both look at each character a bounded number of times.
 */

const BACKSLASH = 0x5c
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

/**
 * Where a quoted value ends that begins at `start`. `opening` is the text just before it, which ends with the opening
 * quote (in a URL `%22` or `%27`). In JSON inside JSON quotes are escaped again: one opened after 1, 3 or 7 backslashes
 * is closed by one after as many, and a quote inside the value has more. A doubled quote (SQL, CSV) is inside the value.
 * A line break ends a value that was never closed.
 */
export function quotedEnd(text: string, start: number, opening: string): number {
  const inUrl = /%2[27]$/.exec(opening)
  if (inUrl !== null) return encodedEnd(text, start, inUrl[0])
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

/** The quote as it looks in a URL, which ends at white space as well. */
function encodedEnd(text: string, start: number, quote: string): number {
  const end = new RegExp(`${quote}|[\\r\\n]`, 'g')
  end.lastIndex = start
  return end.exec(text)?.index ?? text.length
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
