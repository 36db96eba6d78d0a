/** Records as CSV (RFC 4180) without formulas, whatever a spreadsheet takes as the separator. */
import type { LogRow } from '@tidemark/wire/reading/row'
import { safeInSpreadsheet } from '@tidemark/wire/text/spreadsheet-text'

const COLUMNS: readonly (readonly [string, (row: LogRow) => string])[] = [
  ['timestamp', (row) => row.timestamp],
  ['level', (row) => row.level],
  ['environment', (row) => row.environment],
  ['service', (row) => row.service],
  ['host', (row) => row.host],
  ['logger', (row) => row.logger],
  ['release', (row) => row.release],
  ['message', (row) => row.message],
  ['errorType', (row) => row.error?.type ?? ''],
  ['errorMessage', (row) => row.error?.message ?? ''],
  ['errorStack', (row) => row.error?.stack ?? ''],
  ['traceId', (row) => row.traceId],
  ['spanId', (row) => row.spanId],
  ['attributes', (row) => JSON.stringify(row.attributes)],
  ['id', (row) => row.id],
]

export const CSV_HEADER: string = line(COLUMNS.map(([name]) => name))

export function csvLine(row: LogRow): string {
  return line(COLUMNS.map(([, of]) => cell(of(row))))
}

function line(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

function cell(text: string): string {
  const safe = safeInSpreadsheet(text)
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
