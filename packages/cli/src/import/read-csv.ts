/** CSV with a header (RFC 4180, also with semicolons or tabs): each row becomes a record, each column a field. */
import { PLACES } from '@tidemark/wire/field-names'
import { parseJson } from '@tidemark/wire/parse-json'
import { outOfSpreadsheet } from '@tidemark/wire/text/spreadsheet-text'
import { ClientError } from '../client/client-error.ts'
import { completeRecord } from './complete-record.ts'
import type { Defaults, Entry } from './entry.ts'
import { type Line, MAX_LINE_BYTES, readLines } from './read-lines.ts'
import { tooLong } from './read-ndjson.ts'

type Row = { text: string; line: number; endOffset: number; isTooLong: boolean }

/** Names whose text is meant as text: `1.10` is a release, and a message may consist of digits. */
const TEXTS = new Set(['id'])
for (const [name, { accepts }] of PLACES) {
  if (['any', 'text', 'name', 'clock', 'time'].includes(accepts)) TEXTS.add(name)
}

/** The header of what the service exports. */
const EXPORT =
  'timestamp,level,environment,service,host,logger,release,message,errorType,errorMessage,errorStack,traceId,spanId,attributes,id'

export async function* readCsv(bytes: AsyncIterable<Buffer>, defaults: Defaults): AsyncGenerator<Entry> {
  let header: string[] | undefined
  let delimiter = ','
  let isExport = false
  for await (const { text, line, endOffset, isTooLong } of readRows(readLines(bytes))) {
    if (text.trim() === '') continue
    if (header === undefined) {
      delimiter = delimiterOf(text)
      header = cellsOf(text, delimiter).map((name) => name.trim())
      refuseHeader(header)
      isExport = header.join(',') === EXPORT
      continue
    }
    const at = { line, endOffset }
    const written = cellsOf(text, delimiter)
    const cells = isExport ? written.map(outOfSpreadsheet) : written
    if (isTooLong) yield { ...at, problem: tooLong('The row, or a quoted cell in it that does not end,') }
    else if (cells.length > header.length) {
      yield { ...at, problem: `The row has ${cells.length} cells, the header ${header.length}.` }
    } else {
      const { json, fields } = recordOf(header, cells)
      yield { ...at, ...completeRecord(json, fields, defaults) }
    }
  }
}

/** A row continues while a quote is open. */
async function* readRows(lines: AsyncIterable<Line>): AsyncGenerator<Row> {
  let parts: string[] = []
  let characters = 0
  let isOpen = false
  let isTooLong = false
  let at = { line: 1, endOffset: 0 }
  const take = (): Row => {
    const row = { ...at, text: parts.join('\n'), isTooLong }
    parts = []
    characters = 0
    isOpen = false
    isTooLong = false
    return row
  }
  for await (const { text, number, endOffset, isCut } of lines) {
    at = { line: parts.length === 0 ? number : at.line, endOffset }
    parts.push(text)
    characters += text.length
    isOpen = isOpen !== ((text.split('"').length - 1) % 2 === 1)
    isTooLong = isCut || characters > MAX_LINE_BYTES
    if (!isOpen || isTooLong) yield take()
  }
  if (parts.length > 0) {
    isTooLong = true
    yield take()
  }
}

export function cellsOf(row: string, delimiter: string): string[] {
  const cells: string[] = []
  let at = 0
  do {
    if (row[at] === '"') {
      let end = at + 1
      while (end < row.length && (row[end] !== '"' || row[end + 1] === '"')) end += row[end] === '"' ? 2 : 1
      cells.push(row.slice(at + 1, end).replaceAll('""', '"'))
      at = row.indexOf(delimiter, end)
    } else {
      const end = row.indexOf(delimiter, at)
      cells.push(row.slice(at, end < 0 ? row.length : end))
      at = end
    }
    if (at >= 0) at++
  } while (at > 0)
  return cells
}

export function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((sign) => [sign, header.split(sign).length] as const)
  return counts.reduce((best, one) => (one[1] > best[1] ? one : best))[0]
}

function refuseHeader(header: readonly string[]): void {
  const twice = header.find((name, index) => header.indexOf(name) !== index)
  const message =
    twice !== undefined
      ? `The CSV header names "${twice}" twice.`
      : header.includes('')
        ? 'The CSV header has a column without a name.'
        : undefined
  if (message) throw new ClientError('invalid_request', `${message} Fix the header and import again.`)
}

/**
 * Empty cells say nothing. `attributes` may hold a JSON object, as in the service's own exports; its text is kept as it
 * is, because writing it again would change long numbers.
 */
function recordOf(header: readonly string[], cells: readonly string[]) {
  const pairs: [name: string, value: unknown][] = []
  const texts: string[] = []
  for (const [index, name] of header.entries()) {
    const cell = cells[index] ?? ''
    if (cell === '') continue
    const object = name === 'attributes' ? objectIn(cell) : undefined
    const value = object ?? (TEXTS.has(name) ? cell : typed(cell))
    pairs.push([name, value])
    texts.push(`${JSON.stringify(name)}:${object ? cell.replace(/[\r\n]+/g, ' ') : JSON.stringify(value)}`)
  }
  // From pairs: a column may have any name, and assigning to `__proto__` would lose it.
  return { json: `{${texts.join(',')}}`, fields: Object.fromEntries(pairs) }
}

/** A number only when nothing is lost: `007`, `1.10` and very long ones stay text. */
function typed(cell: string): unknown {
  if (cell === 'true' || cell === 'false') return cell === 'true'
  return /^-?\d+(?:\.\d+)?$/.test(cell) && String(Number(cell)) === cell ? Number(cell) : cell
}

function objectIn(cell: string): object | undefined {
  const value = parseJson(cell)
  return typeof value === 'object' && value !== null ? value : undefined
}
