import { parseJson } from '../parse-json.ts'
import { KNOWN_NAMES } from './complete-record.ts'
import type { Format } from './entry.ts'
import { readLineStart } from './line-start.ts'
import { cellsOf, delimiterOf } from './read-csv.ts'

/** What columns of logs are called; one of them makes a first line with delimiters a header. */
const COLUMNS = new Set(['message', 'msg', 'log', ...Object.values(KNOWN_NAMES).flat()])

/** By what the beginning looks like; the file name decides only where both readings are possible. */
export function detectFormat(sample: string, name: string): Format {
  const text = sample.replace(/^\ufeff/, '').trimStart()
  if (/^\[\s*(?:\{|\]\s*$)/.test(text)) return 'json'
  const [first = ''] = text.split('\n', 1)
  if (text.startsWith('{'))
    return typeof parseJson(first) === 'object' || /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name) ? 'ndjson' : 'json'
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(name)) return 'csv'
  const header = cellsOf(first.trimEnd(), delimiterOf(first)).map((cell) => cell.trim())
  const isHeader = header.length > 1 && header.every((cell) => /^[\w@][\w.@ -]{0,63}$/.test(cell))
  return isHeader && header.some((cell) => COLUMNS.has(cell)) ? 'csv' : 'text'
}

/** Whether lines begin with times, so that one without belongs to the line before. */
export function hasTimes(sample: string): boolean {
  const lines = sample.split('\n').filter((line) => /^\S/.test(line))
  const timed = lines.filter((line) => readLineStart(line).timestamp !== undefined)
  // Stack traces and dumps may outnumber the lines that begin a record.
  return timed.length > 0 && (timed.length >= lines.length / 4 || readLineStart(lines[0] ?? '').timestamp !== undefined)
}
