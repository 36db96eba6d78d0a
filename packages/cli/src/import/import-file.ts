/** One source, from its bytes to the service. Several batches travel at once; they are settled in their order. */
import { BATCH_MEMORY_HOURS } from '@tidemark/wire/batch-id'
import { ClientError } from '../client/client-error.ts'
import type { Connection } from '../client/connection.ts'
import { type Batch, batches, type Problem } from './batches.ts'
import type { Defaults, Entry, Format } from './entry.ts'
import type { ProgressFile } from './progress-file.ts'
import { openSource, type Source } from './read-bytes.ts'
import { readEntries } from './read-entries.ts'
import { type SendOptions, type Stored, sendBatch } from './send-batch.ts'

export type ImportJob = {
  path: string
  connection: Connection
  format: Format | 'auto'
  defaults: Defaults
  /** Absent for standard input, which has no name to be found again by. */
  progressFile: ProgressFile | undefined
  isResumed: boolean
  send?: SendOptions
  /** Before anything is sent: how the source is read, and what its first record becomes. */
  onStart?: (source: Source, format: Format, first: Entry | undefined) => void
  onProgress?: (totals: Totals, source: Source) => void
  stop?: AbortSignal
}

export type Totals = { accepted: number; rejected: number; resumedRecords: number }

export type Imported = Totals & {
  file: string
  format: Format
  reasons: ReturnType<Reasons['list']>
  /** False when it was stopped or failed on the way. */
  complete: boolean
  /** What ended it. */
  error: ClientError | undefined
}

const BATCHES_AT_ONCE = 4

export async function importFile(job: ImportJob): Promise<Imported> {
  const { path, connection, format: wanted, defaults, progressFile, onProgress, stop } = job
  const source = await openSource(path)
  const resumed = job.isResumed ? progressFile?.read() : undefined
  const totals: Totals = { accepted: 0, rejected: 0, resumedRecords: 0 }
  const reasons = new Reasons()
  const { format, entries: read } = await readEntries(source, { format: wanted, defaults })
  const underWay: { batch: Batch; stored: Promise<Stored> }[] = []
  let error: ClientError | undefined

  try {
    const { first, entries } = await seeFirst(read)
    job.onStart?.(source, format, first)
    let isBehind = resumed === undefined
    for await (const batch of batches(entries)) {
      if (stop?.aborted) break
      if (!isBehind && resumed) {
        isBehind = isResumePoint(batch, resumed, source.name)
        totals.resumedRecords += batch.records.length + batch.problems.length
        onProgress?.(totals, source)
        continue
      }
      if (underWay.length >= BATCHES_AT_ONCE) await settleFirst()
      const stored = sendBatch(connection, batch, job.send)
      // Awaited in its turn; until then a failure must not count as unhandled.
      stored.catch(() => {})
      underWay.push({ batch, stored })
    }
    if (!isBehind && !stop?.aborted) throw changed(source.name)
    while (underWay.length > 0) await settleFirst()
  } catch (caught) {
    if (!(caught instanceof ClientError)) throw caught
    error = caught
    await Promise.allSettled(underWay.map(({ stored }) => stored))
  }
  const complete = error === undefined && !stop?.aborted
  if (complete) progressFile?.remove()
  return { file: source.name, format, ...totals, reasons: reasons.list(), complete, error }

  async function settleFirst(): Promise<void> {
    const [first] = underWay
    if (!first) return
    const { accepted, rejected } = await first.stored
    underWay.shift()
    totals.accepted += accepted
    totals.rejected += rejected.length
    reasons.add(rejected satisfies Problem[])
    progressFile?.write({
      source: source.name,
      endOffset: first.batch.endOffset,
      batchId: first.batch.id,
      accepted: (resumed?.accepted ?? 0) + totals.accepted,
      rejected: (resumed?.rejected ?? 0) + totals.rejected,
    })
    onProgress?.(totals, source)
  }
}

async function seeFirst(
  all: AsyncIterable<Entry>,
): Promise<{ first: Entry | undefined; entries: AsyncIterable<Entry> }> {
  const rest = all[Symbol.asyncIterator]()
  const { value: first, done } = await rest.next()
  async function* entries(): AsyncGenerator<Entry> {
    if (done) return
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  }
  return { first: done ? undefined : first, entries: entries() }
}

function isResumePoint(batch: Batch, resumed: { endOffset: number; batchId: string }, name: string): boolean {
  if (batch.endOffset < resumed.endOffset) return false
  if (batch.endOffset === resumed.endOffset && batch.id === resumed.batchId) return true
  throw changed(name)
}

function changed(name: string): ClientError {
  return new ClientError(
    'conflict',
    `${name} is not the file it was when the import stopped. Import it without --resume: what is the same and was stored in the last ${BATCH_MEMORY_HOURS} hours is not stored twice.`,
  )
}

const MAX_REASONS = 100

/** Why records were not stored: the same reasons together, each with the first place where it came up. */
class Reasons {
  readonly #found = new Map<string, { reason: string; count: number; line: number }>()

  add(problems: readonly Problem[]): void {
    for (const { line, reason } of problems) {
      const kind = reason.replace(/"[^"]*"/g, '"…"').replace(/\d+/g, '#')
      const known = this.#found.get(kind)
      if (known) known.count++
      else if (this.#found.size < MAX_REASONS) this.#found.set(kind, { reason, count: 1, line })
    }
  }

  /** The most frequent first. */
  list(): { reason: string; count: number; line: number }[] {
    return [...this.#found.values()].sort((one, other) => other.count - one.count || one.line - other.line)
  }
}
