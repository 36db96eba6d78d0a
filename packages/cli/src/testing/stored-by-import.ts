import { expect } from 'vitest'
import { readBody } from '../../../server/src/ingest/testing/read-body.ts'
import type { Format } from '../import/entry.ts'
import { readEntries } from '../import/read-entries.ts'

/** What an import sends: a record in each. */
export async function sentByImport(content: string | Buffer, format: Format): Promise<string[]> {
  const bytes = Buffer.from(content)
  async function* pieces() {
    yield bytes
  }
  const source = { name: 'x.log', totalBytes: bytes.length, readBytes: () => 0, bytes: pieces() }
  const { entries } = await readEntries(source, { format, defaults: {} })
  const sent: string[] = []
  for await (const entry of entries) sent.push('json' in entry ? entry.json : entry.problem)
  return sent
}

/** What the service makes of what an import sends. */
export async function storedByImport(content: string | Buffer, format: Format) {
  const sent = await sentByImport(content, format)
  const { records, rejected } = readBody(sent.join('\n'), { type: 'application/x-ndjson' })
  expect(rejected).toEqual([])
  expect(records).toHaveLength(1)
  return told(records[0]!)
}

type Attributes = Iterable<readonly [string, unknown]>

/** The order of attributes means nothing. */
export function told<T extends { attributes: Attributes }>(record: T) {
  return { ...record, attributes: Object.fromEntries(record.attributes) }
}
