/** The `mappings` of a source map: base64 VLQ, decoded once, strictly. Anything unusual is refused rather than guessed at. */
import { AppError } from '../errors.ts'
import { MAX_GENERATED_LINES, MAX_MAPPINGS } from './limits.ts'

/** In the order they were written; lines and columns count from zero. `source` and `name` are -1 where there is none. */
export type Mappings = {
  count: number
  generatedLines: Uint32Array
  generatedColumns: Uint32Array
  sources: Int32Array
  lines: Int32Array
  columns: Int32Array
  names: Int32Array
}

/** What the numbers of one map refer to, and where it begins in a file that is made of several. */
type MapFrame = { sources: number; names: number; firstSource: number; firstName: number } & Offset
export type Offset = { line: number; column: number }

const COMMA = 44
const SEMICOLON = 59
const MAX_INT32 = 0x7fffffff
/** Seven digits hold 35 bits: a 32-bit number needs no more. */
const MAX_DIGITS = 7

const DIGITS = new Int8Array(128).fill(-1)
for (const [digit, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  DIGITS[letter.charCodeAt(0)] = digit

export function newMappings(count: number): Mappings {
  return {
    count: 0,
    generatedLines: new Uint32Array(count),
    generatedColumns: new Uint32Array(count),
    sources: new Int32Array(count),
    lines: new Int32Array(count),
    columns: new Int32Array(count),
    names: new Int32Array(count),
  }
}

/** How many there are, before anything is allocated for them. Empty lines and empty segments take no room. */
export function countMappings(text: string): number {
  let count = 0
  let lines = 0
  let isInside = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit === SEMICOLON) lines++
    if (unit === COMMA || unit === SEMICOLON) isInside = false
    else if (!isInside) {
      isInside = true
      count++
      // Only lines that something follows have to be kept.
      if (lines >= MAX_GENERATED_LINES) throw tooMany('lines', MAX_GENERATED_LINES)
    }
  }
  if (count > MAX_MAPPINGS) throw tooMany('mappings', MAX_MAPPINGS)
  return count
}

export function decodeMappings(text: string, frame: MapFrame, into: Mappings): void {
  let generatedLine = frame.line
  let generatedColumn = 0
  let source = 0
  let line = 0
  let column = 0
  let name = 0
  let at = 0

  function number(): number {
    let value = 0
    for (let digits = 0; digits < MAX_DIGITS; digits++) {
      const unit = text.charCodeAt(at)
      const digit = unit < 128 ? DIGITS[unit]! : -1
      if (digit === -1) throw broken(`has an unfinished number at character ${at}`)
      at++
      // Not by shifting: the last digit of seven may pass 32 bits, which must be noticed.
      value += (digit & 31) * 2 ** (5 * digits)
      if (digit < 32) {
        const half = Math.floor(value / 2)
        return value % 2 === 1 ? -half : half
      }
    }
    throw broken(`has a number of more than ${MAX_DIGITS} digits at character ${at}`)
  }

  const isEnd = () => at >= text.length || text.charCodeAt(at) === COMMA || text.charCodeAt(at) === SEMICOLON

  while (at < text.length) {
    const unit = text.charCodeAt(at)
    if (unit === SEMICOLON) {
      generatedLine++
      generatedColumn = 0
      at++
      continue
    }
    if (unit === COMMA) {
      at++
      continue
    }
    generatedColumn = within(generatedColumn + number(), MAX_INT32, 'a column')
    const to = into.count
    into.generatedLines[to] = generatedLine
    // Only the first line of a part begins after what came before it.
    into.generatedColumns[to] = generatedColumn + (generatedLine === frame.line ? frame.column : 0)
    into.sources[to] = -1
    into.names[to] = -1
    if (!isEnd()) {
      source = within(source + number(), frame.sources - 1, 'the number of a source')
      line = within(line + number(), MAX_INT32 - 1, 'a line')
      column = within(column + number(), MAX_INT32 - 1, 'a column')
      into.sources[to] = frame.firstSource + source
      into.lines[to] = line
      into.columns[to] = column
      if (!isEnd()) {
        name = within(name + number(), frame.names - 1, 'the number of a name')
        into.names[to] = frame.firstName + name
        if (!isEnd()) throw broken(`has a mapping with more than five numbers at character ${at}`)
      }
    }
    into.count++
  }
}

/** Before anything is rounded to 32 bits. */
function within(value: number, max: number, what: string): number {
  if (value >= 0 && value <= max) return value
  throw broken(`leads to ${what} outside of what there is (${value})`)
}

function broken(what: string): AppError {
  return new AppError('invalid_request', `The source map is damaged: \`mappings\` ${what}. Build it again and send it.`)
}

export function tooMany(what: string, max: number): AppError {
  return new AppError(
    'body_too_large',
    `The source map has more than ${max} ${what}. Split the bundle into smaller files, each with a map of its own.`,
  )
}
