import { addValues, scanJson } from '../../bytes/scan-json.ts'
import { MAX_RECORDS } from '../limits.ts'
import type { FastRecords } from '../record/record-sink.ts'
import { parseChecked } from './parse-checked.ts'
import { tooManyRecords } from './too-many-records.ts'

type Lines = {
  fast: FastRecords | null
  /** A line was taken the fast way. */
  taken: () => void
  /** A line that has to be read the plain way. Its texts may need cleaning. */
  entry: (value: unknown, index: number, hasSuspectEscapes: boolean) => void
  bad: (reason: string, index: number) => void
}

/**
 * One JSON value per line. A line that is not JSON costs its own record, not the batch; one that is nested too deep, or too
 * many values in all lines, cost the batch. Blank lines do not count. Returns how many others there were.
 */
export function readLines(bytes: Uint8Array, { fast, taken, entry, bad }: Lines): number {
  let index = 0
  let lineNumber = 0
  let values = 0
  let start = 0
  while (start < bytes.length) {
    lineNumber++
    const end = fast === null ? 0 : fast.read(bytes, start)
    let next = end === 0 ? 0 : startOfNextLine(bytes, end)
    if (next > 0) {
      if (index >= MAX_RECORDS) throw tooManyRecords()
      values = addValues(values, fast!.values)
      fast!.take()
      taken()
      index++
    } else {
      const newline = bytes.indexOf(NEWLINE, start)
      next = newline === -1 ? bytes.length : newline + 1
      const line = bytes.subarray(start, newline === -1 ? bytes.length : newline)
      if (!isBlank(line)) {
        if (index >= MAX_RECORDS) throw tooManyRecords()
        const scan = scanJson(line, values)
        values = scan.values
        const value = parseChecked(line, scan)
        if (value === undefined) bad(`Line ${lineNumber} is not valid JSON.`, index)
        else entry(value, index, scan.hasSuspectEscapes)
        index++
      }
    }
    start = next
  }
  return index
}

/** 0 when the line goes on with something else than white space. */
function startOfNextLine(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === NEWLINE) return at + 1
    if (!isSpace(byte)) return 0
  }
  return bytes.length
}

function isBlank(line: Uint8Array): boolean {
  for (let at = 0; at < line.length; at++) if (!isSpace(line[at]!)) return false
  return true
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0d || byte === 0x09
}

const NEWLINE = 0x0a
