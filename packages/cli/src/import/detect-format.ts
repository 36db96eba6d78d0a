import { namesOf } from '@tidemark/wire/field-names'
import { isObject } from '@tidemark/wire/is-object'
import { parseJson } from '@tidemark/wire/parse-json'
import { ClientError } from '../client/client-error.ts'
import { FORMATS, type Format } from './entry.ts'
import { isContainerLine, isDockerLine } from './formats/container-line.ts'
import { isAccessLine, isApacheError, isNginxError } from './formats/web-server-line.ts'
import { readLineStart } from './line-start.ts'
import { cellsOf, delimiterOf } from './read-csv.ts'

/** What columns of logs are called; one of them makes a first line with delimiters a header. */
const COLUMNS = new Set([
  ...['message', 'msg', 'log'],
  ...(['service', 'environment', 'level', 'time'] as const).flatMap(namesOf),
])

/** A share of the beginning that no text has; a text in an old encoding, or with zeros from a crash, has less. */
const MAX_BINARY_SHARE = 0.3

/** By what the beginning looks like; the file name decides only where both readings are possible. */
export function detectFormat(sample: string, name: string): Format {
  const text = sample.replace(/^\ufeff/, '').trimStart()
  if (/^__(?:CURSOR|REALTIME_TIMESTAMP)=/.test(text)) return 'journal-export'
  refuseBinary(sample, name)
  if (/^\[\s*(?:\{|\]\s*$)/.test(text)) return 'json'
  const [first = ''] = text.split('\n', 1)
  if (text.startsWith('{')) return formatOfJson(text, first, name)
  if (/\.(?:csv|tsv)(?:\.gz)?$/i.test(name)) return 'csv'
  const ofLines = formatOfLines(text)
  if (ofLines !== undefined) return ofLines
  const header = cellsOf(first.trimEnd(), delimiterOf(first)).map((cell) => cell.trim())
  const isHeader = header.length > 1 && header.every((cell) => /^[\w@][\w.@ -]{0,63}$/.test(cell))
  return isHeader && header.some((cell) => COLUMNS.has(cell)) ? 'csv' : 'text'
}

function formatOfJson(text: string, first: string, name: string): Format {
  const value = parseJson(first)
  if (isDockerLine(value)) return 'container'
  if (isObject(value)) {
    if ('__REALTIME_TIMESTAMP' in value) return 'journal-json'
    if (isObject(value.labels) && typeof value.line === 'string') return 'loki'
    if (typeof value._index === 'string' && isObject(value._source)) return 'elasticsearch'
  }
  if (isLokiDocument(text)) return 'loki'
  if (isSearchDocument(text)) return 'elasticsearch'
  return isObject(value) || /\.(?:ndjson|jsonl)(?:\.gz)?$/i.test(name) ? 'ndjson' : 'json'
}

/** Whether all records are in one document. It begins with what the service says about its answer. */
export function isLokiDocument(sample: string): boolean {
  return /^\s*\{\s*"status"\s*:\s*"success"\s*,\s*"data"\s*:\s*\{\s*"resultType"\s*:\s*"streams"/.test(sample)
}

export function isSearchDocument(sample: string): boolean {
  const isAnswer = /^\s*\{\s*"(?:_scroll_id|pit_id|took|timed_out|hits)"/.test(sample)
  return isAnswer && /"hits"\s*:\s*\{/.test(sample) && /"(?:_shards|_source)"/.test(sample)
}

/** Most of the lines have the form; the last one may be cut off, and stack traces may stand between them. */
function formatOfLines(text: string): Format | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > 1 && !text.endsWith('\n')) lines.pop()
  const share = (has: (line: string) => boolean) => lines.filter(has).length / lines.length
  if (share(isContainerLine) === 1) return 'container'
  if (share(isAccessLine) >= 0.5) return 'access'
  if (isNginxError(lines[0] ?? '')) return 'nginx-error'
  return isApacheError(lines[0] ?? '') ? 'apache-error' : undefined
}

function refuseBinary(sample: string, name: string): void {
  const strange = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0
  if (strange <= sample.length * MAX_BINARY_SHARE) return
  throw new ClientError(
    'invalid_request',
    `${name} is not a text, so it is in none of these formats:\n${formatList()}\nUnpack it first (gzip is unpacked by itself), or write it as UTF-8.`,
  )
}

export function formatList(): string {
  const width = Math.max(...Object.keys(FORMATS).map(({ length }) => length))
  return Object.entries(FORMATS)
    .map(([format, what]) => `  ${format.padEnd(width)}  ${what}`)
    .join('\n')
}

/** Whether lines begin with times, so that one without belongs to the line before. */
export function hasTimes(sample: string, startOf: (line: string) => boolean = beginsWithTime): boolean {
  const lines = sample.split('\n').filter((line) => /^\S/.test(line))
  const timed = lines.filter(startOf)
  // Stack traces and dumps may outnumber the lines that begin a record.
  return timed.length > 0 && (timed.length >= lines.length / 4 || startOf(lines[0] ?? ''))
}

function beginsWithTime(line: string): boolean {
  return readLineStart(line).timestamp !== undefined
}
