/**
 * Writes calls down in batches, so that no call waits for it: a batch begins with its first call and is written a second
 * later, or when the store closes. A process that is killed loses what came in during that second. While the database does not
 * answer, calls are kept and tried again every second.
 */
import { AppError } from '../../errors.ts'
import { newId } from '../../model/id.ts'
import type { McpCall } from '../../model/mcp-call.ts'
import { type ControlDatabase, type ControlLog, chunks } from '../database/database.ts'
import type { ControlSchema } from '../database/schema.ts'

type CallRow = ControlSchema['mcp_calls']

const WRITE_AFTER_MS = 1_000
/** SQLite writes while nothing else runs, and must not do so for long. */
const ROWS_AT_ONCE = 100
/** At the limit the oldest are dropped: the database has been away for long, and what happens now matters more. */
export const MAX_PENDING = 10_000

export class CallWriter {
  readonly #database: ControlDatabase
  readonly #log: ControlLog
  #pending: CallRow[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(database: ControlDatabase, log: ControlLog) {
    this.#database = database
    this.#log = log
  }

  /** Never waits, never fails. */
  note({ projectId, keyId }: { projectId: string; keyId: string }, call: McpCall): void {
    this.#pending.push(toRow(projectId, keyId, call))
    this.#writeSoon()
  }

  /** Resolves when what was noted before is written, or could not be. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async close(): Promise<void> {
    await this.flush()
    clearTimeout(this.#timer)
  }

  #writeSoon(): void {
    this.#timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS).unref()
  }

  async #write(): Promise<void> {
    // Swapped before anything is awaited: what comes in meanwhile belongs to the next batch.
    let left = chunks(this.#pending, ROWS_AT_ONCE)
    this.#pending = []
    try {
      for (const rows of left) {
        await this.#database.db.insertInto('mcp_calls').values(rows).execute()
        left = left.slice(1)
      }
    } catch (error) {
      const rows = left.flat()
      const mayComeBack = error instanceof AppError && error.code === 'unavailable'
      const kept = mayComeBack ? [...rows, ...this.#pending].slice(-MAX_PENDING) : this.#pending
      const dropped = rows.length + this.#pending.length - kept.length
      this.#pending = kept
      if (dropped > 0) this.#log.warn({ err: error, calls: dropped }, 'could not write down calls over MCP')
      if (kept.length > 0) this.#writeSoon()
    }
  }
}

function toRow(project_id: string, key_id: string, call: McpCall): CallRow {
  return {
    id: newId('cal', call.atMs),
    project_id,
    key_id,
    at: call.atMs,
    method: call.method,
    name: call.name,
    arguments: JSON.stringify(call.arguments),
    duration_ms: call.durationMs,
    row_count: call.rows,
    bytes: call.bytes,
    tokens: call.tokens,
    error: call.error,
  }
}
