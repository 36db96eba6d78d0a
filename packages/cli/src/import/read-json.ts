/**
 * The objects of a JSON array, or JSON objects in sequence, without holding the file: this only finds where values
 * begin and end, in bytes, because every character that matters is ASCII and no byte of a longer one looks like it.
 */
import type { Defaults, Entry } from './entry.ts'
import { MAX_LINE_BYTES } from './read-lines.ts'
import { entryOf, tooLong } from './read-ndjson.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const OPENERS = new Set([0x5b, 0x7b])
const CLOSERS = new Set([0x5d, 0x7d])
/** White space, comma, and the bytes of a byte order mark. */
const BETWEEN = new Set([0x20, 0x09, 0x0a, 0x0d, 0x2c, 0xef, 0xbb, 0xbf])

export async function* readJson(bytes: AsyncIterable<Buffer>, defaults: Defaults): AsyncGenerator<Entry> {
  let isInArray = false
  let hasBegun = false
  /** Objects and arrays that are open inside the value. */
  let depth = 0
  let isInValue = false
  let isInString = false
  let isEscaped = false
  let parts: Buffer[] = []
  let held = 0
  let line = 1
  let valueLine = 1
  let offset = 0

  const hold = (part: Buffer) => {
    if (held <= MAX_LINE_BYTES) parts.push(part)
    held += part.length
  }
  const take = (endOffset: number): Entry => {
    const at = { line: valueLine, endOffset }
    const text =
      held > MAX_LINE_BYTES
        ? ''
        : Buffer.concat(parts)
            .toString('utf8')
            .replace(/[\r\n]+/g, ' ')
    const entry = held > MAX_LINE_BYTES ? { problem: tooLong('The value') } : entryOf(text, defaults, 'The value')
    parts = []
    held = 0
    isInValue = false
    return { ...at, ...entry }
  }

  for await (const chunk of bytes) {
    let start = 0
    for (let index = 0; index < chunk.length; index++) {
      const byte = chunk[index] as number
      if (byte === NEWLINE) line++
      if (!isInValue) {
        if (BETWEEN.has(byte)) continue
        if (byte === 0x5b && !hasBegun) {
          isInArray = true
          hasBegun = true
          continue
        }
        hasBegun = true
        if (byte === 0x5d && isInArray) {
          isInArray = false
          continue
        }
        isInValue = true
        valueLine = line
        start = index
        depth = 0
      }
      let isEnd = false
      if (isInString) {
        if (isEscaped) isEscaped = false
        else if (byte === BACKSLASH) isEscaped = true
        else if (byte === QUOTE) {
          isInString = false
          isEnd = depth === 0
        }
      } else if (byte === QUOTE) isInString = true
      else if (OPENERS.has(byte)) depth++
      else if (CLOSERS.has(byte)) isEnd = --depth <= 0
      // A number or a word ends where something else begins.
      else if (depth === 0 && BETWEEN.has(byte)) isEnd = true
      if (!isEnd) continue
      hold(chunk.subarray(start, index + 1))
      yield take(offset + index + 1)
    }
    if (isInValue) hold(chunk.subarray(start))
    offset += chunk.length
  }
  if (isInValue) {
    yield { line: valueLine, endOffset: offset, problem: 'The file ends in the middle of this value.' }
  }
}
