import { withCommas } from '@tidemark/wire/text/counted'
import { AppError } from '../errors.ts'
import { survivesAsDouble } from '../model/exact-number.ts'
import { BACKSLASH, CLOSE_BRACE, CLOSE_BRACKET, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE } from './json-bytes.ts'
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from './limits.ts'

/**
 * A linear walk over JSON bytes before they are parsed. `JSON.parse` needs seconds for a few megabytes of `[` or `{},`,
 * so depth and width are judged here. On the way it notes what the later steps would otherwise have to look for.
 * It judges size only: whether the text is JSON at all is left to the parser.
 */
export type JsonScan = {
  /** All values, roughly, and those of the scans before. */
  values: number
  /** Objects and lists inside each other, at the deepest. */
  depth: number
  /** Values side by side at the top level. More than one means lines, not one document. */
  topLevelValues: number
  /** An escape that may write NUL or half a surrogate pair was seen, so texts need cleaning. */
  hasSuspectEscapes: boolean
  /** A number that a double may not hold, by its digits or its exponent, was seen outside a string. */
  hasDoubtfulNumbers: boolean
}

/** `valuesBefore` of other documents of the same request count too. */
export function scanJson(bytes: Uint8Array, valuesBefore = 0): JsonScan {
  const scan = measureJson(bytes, valuesBefore)
  if (scan.depth > MAX_JSON_DEPTH) throw tooDeep()
  addValues(scan.values, 0)
  return scan
}

/** The same without a judgement. It stops where a limit is passed. */
export function measureJson(bytes: Uint8Array, valuesBefore = 0): JsonScan {
  const scan: JsonScan = { values: 0, depth: 0, topLevelValues: 0, hasSuspectEscapes: false, hasDoubtfulNumbers: false }
  const length = bytes.length
  let depth = 0
  let values = valuesBefore
  let digits = 0
  let index = 0
  while (index < length) {
    const byte = bytes[index]!
    index++
    if (byte >= 0x30 && byte <= 0x39) {
      if (++digits > SAFE_DIGITS) scan.hasDoubtfulNumbers = true
      continue
    }
    if (digits > 0 && (byte | 0x20) === LOWER_E && isFarExponent(bytes, index)) scan.hasDoubtfulNumbers = true
    digits = 0
    if (byte === QUOTE) {
      while (index < length) {
        const inside = bytes[index]!
        index++
        // Most letters lie above the two bytes that matter, so one comparison passes over them.
        if (inside > BACKSLASH) continue
        if (inside === QUOTE) break
        if (inside === BACKSLASH) {
          if (bytes[index] === LOWER_U && isSuspect(bytes, index + 1)) scan.hasSuspectEscapes = true
          index++
        }
      }
    } else if (byte === COMMA) {
      values++
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === 0) scan.topLevelValues++
      if (++depth > scan.depth) scan.depth = depth
      if (++values > MAX_JSON_VALUES || depth > MAX_JSON_DEPTH) break
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (depth > 0) depth--
    }
  }
  scan.values = values
  return scan
}

/** The sum, which may not pass what a request may hold. */
export function addValues(before: number, more: number): number {
  if (before + more > MAX_JSON_VALUES) throw tooMany()
  return before + more
}

/**
 * The same JSON with every number that a double would change written as a string, so that a 64-bit id or a time in
 * nanoseconds arrives to the digit and 1e400 does not become infinite. Only called when the scan saw one that may be.
 */
export function quoteChangedNumbers(text: string): string {
  // By hand: a regular expression that skips strings can be made to start over at every quote.
  const pieces: string[] = []
  let copied = 0
  let index = 0
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === QUOTE) {
      index = endOfString(text, index + 1)
    } else if (isNumberCode(code)) {
      const start = index
      while (index < text.length && isNumberCode(text.charCodeAt(index))) index++
      const token = text.slice(start, index)
      // What is not a number at all is left for the parser to refuse.
      if (token.length < SHORTEST_CHANGED || !JSON_NUMBER.test(token) || survivesAsDouble(token)) continue
      pieces.push(text.slice(copied, start), '"', token, '"')
      copied = index
    } else {
      index++
    }
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(copied)
}

function endOfString(text: string, from: number): number {
  let index = from
  while (index < text.length) {
    const code = text.charCodeAt(index)
    index++
    if (code === QUOTE || code === NEWLINE) return index
    if (code === BACKSLASH) index++
  }
  return index
}

/** Digits, sign, point and exponent. */
function isNumberCode(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65
}

const SAFE_DIGITS = 15
/** `1e309` is the shortest. */
const SHORTEST_CHANGED = 5
const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i
const NEWLINE = 0x0a
const LOWER_E = 0x65
const LOWER_U = 0x75

/** `\u0000`, or any `\uD…`: the few valid pairs written that way only cost a check. */
function isSuspect(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at]
  if (first === 0x64 || first === 0x44) return true
  return first === 0x30 && bytes[at + 1] === 0x30 && bytes[at + 2] === 0x30 && bytes[at + 3] === 0x30
}

/** Upward, or so far downward that nothing may be left. Small numbers with an exponent are common and of no concern. */
function isFarExponent(bytes: Uint8Array, at: number): boolean {
  if (bytes[at] !== 0x2d) return true
  const third = bytes[at + 3]
  return third !== undefined && third >= 0x30 && third <= 0x39
}

function tooDeep(): AppError {
  return new AppError(
    'invalid_request',
    `The JSON is nested deeper than ${MAX_JSON_DEPTH} levels. Send flatter records.`,
  )
}

function tooMany(): AppError {
  return new AppError(
    'invalid_request',
    `The JSON holds more than ${withCommas(MAX_JSON_VALUES)} values. Send smaller batches.`,
  )
}
