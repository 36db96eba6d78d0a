/**
 * Entries gathered into requests. Where a batch ends depends on nothing but the content, and its id is a hash over it and
 * all that came before: the same file gives the same batches with the same ids, so that importing it again, or again after
 * a crash, stores nothing twice. Equal lines in another place have another id.
 */
import { createHash } from 'node:crypto'
import { MAX_REQUEST_DAYS } from '@tidemark/wire/limits'
import type { Entry } from './entry.ts'

export type Problem = { line: number; reason: string }

export type Batch = {
  id: string
  records: string[]
  /** Where each record is in the file. */
  lines: number[]
  /** Entries that are not records. */
  problems: Problem[]
  endOffset: number
}

const MAX_BATCH_RECORDS = 5_000
const MAX_BATCH_CHARACTERS = 2_000_000
/** A local day can span two UTC days. */
const MAX_BATCH_DAYS = MAX_REQUEST_DAYS / 2

export async function* batches(entries: AsyncIterable<Entry>): AsyncGenerator<Batch> {
  let chain = 'tidemark import'
  let characters = 0
  let days = new Set<string>()
  let batch: Batch = emptyBatch()

  const close = (): Batch => {
    const closed = batch
    const hash = createHash('sha256').update(`${chain}\n${closed.endOffset}\n`)
    for (const record of closed.records) hash.update(record).update('\n')
    chain = hash.digest('hex')
    closed.id = `import-${chain.slice(0, 40)}`
    batch = emptyBatch()
    characters = 0
    days = new Set()
    return closed
  }

  for await (const entry of entries) {
    const size = 'json' in entry ? entry.json.length : 0
    const isFull =
      batch.records.length + batch.problems.length >= MAX_BATCH_RECORDS ||
      characters + size > MAX_BATCH_CHARACTERS ||
      ('json' in entry && !days.has(entry.day) && days.size >= MAX_BATCH_DAYS)
    if (isFull && batch.records.length + batch.problems.length > 0) yield close()
    batch.endOffset = entry.endOffset
    if ('json' in entry) {
      batch.records.push(entry.json)
      batch.lines.push(entry.line)
      days.add(entry.day)
      characters += size
    } else batch.problems.push({ line: entry.line, reason: entry.problem })
  }
  if (batch.records.length + batch.problems.length > 0) yield close()
}

function emptyBatch(): Batch {
  return { id: '', records: [], lines: [], problems: [], endOffset: 0 }
}
