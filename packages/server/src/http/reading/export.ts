/** `GET /api/logs/export`: all records of a search as a file, read no faster than the client takes it. */
import { Readable } from 'node:stream'
import { filterInput } from '@tidemark/wire/reading/question'
import type { LogRow } from '@tidemark/wire/reading/row'
import { z } from 'zod'
import { parseInput } from '../request/parameters.ts'
import { CSV_HEADER, csvLine } from './csv.ts'
import type { ReadingCall } from './reading-call.ts'

const exportInput = filterInput.extend({ format: z.enum(['ndjson', 'csv']).default('ndjson') })

type Format = { type: string; header: string; line: (row: LogRow) => string }
const FORMATS: Record<'ndjson' | 'csv', Format> = {
  ndjson: { type: 'application/x-ndjson; charset=utf-8', header: '', line: (row) => `${JSON.stringify(row)}\n` },
  csv: { type: 'text/csv; charset=utf-8; header=present', header: CSV_HEADER, line: csvLine },
}

export async function exportRoute({
  reading,
  caller,
  query,
  reply,
  signal,
  recheckCaller,
}: ReadingCall): Promise<unknown> {
  const { format, ...input } = parseInput(exportInput, query)
  const { type, header, line } = FORMATS[format]
  const found = await reading.exportLogs(caller, input, signal)
  const pages = found.pages[Symbol.asyncIterator]()
  // Before the first byte is sent, a mistake in the question can still get a proper error.
  let page = await pages.next()

  async function* text(): AsyncGenerator<string> {
    if (header !== '') yield header
    for (; !page.done; page = await pages.next()) {
      await recheckCaller()
      yield page.value.map(line).join('')
    }
  }

  const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  return (
    reply
      .type(type)
      // How many lines there will be, for a client that shows progress, and how many are beyond the limit.
      .header('X-Tidemark-Records', found.records)
      .header('X-Tidemark-Left-Out', found.leftOut)
      .header('Content-Disposition', `attachment; filename="tidemark-logs-${stamp}.${format}"`)
      .send(Readable.from(text()))
  )
}
