import { AppError } from '../../errors.ts'
import { MAX_RECORDS } from '../limits.ts'

/**
 * One JSON value per line. A line that is not JSON costs its own record, not the batch. Calls `entry` or `bad` for each
 * line that is not blank, with its index among them, and returns how many there were.
 */
export function parseNdjson(
  text: string,
  entry: (value: unknown, index: number) => void,
  bad: (reason: string, index: number) => void,
): number {
  let index = 0
  let lineNumber = 0
  let start = 0
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    lineNumber++
    if (!isBlank(text, start, end)) {
      if (index >= MAX_RECORDS) throw tooManyRecords()
      const value = parseLine(text.slice(start, end))
      if (value === undefined) bad(`Line ${lineNumber} is not valid JSON.`, index)
      else entry(value, index)
      index++
    }
    start = end + 1
  }
  return index
}

export function tooManyRecords(): AppError {
  return new AppError(
    'body_too_large',
    `A request holds at most ${MAX_RECORDS.toLocaleString('en')} records. Send smaller batches.`,
  )
}

/** Undefined when the line is not JSON; no JSON value is. A carriage return at the end is white space to JSON. */
function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function isBlank(text: string, start: number, end: number): boolean {
  for (let index = start; index < end; index++) {
    const code = text.charCodeAt(index)
    if (code !== 0x20 && code !== 0x0d && code !== 0x09) return false
  }
  return true
}
