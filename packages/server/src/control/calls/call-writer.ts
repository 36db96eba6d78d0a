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
/** Past it the oldest are dropped: the database has been away for long, and what happens now matters more. */
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
    if (this.#pending.length >= 2 * MAX_PENDING) this.#dropOldest()
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
    const left = chunks(this.#pending, ROWS_AT_ONCE)
    this.#pending = []
    for (let rows = left.shift(); rows !== undefined; rows = left.shift()) {
      try {
        await this.#insert(rows)
      } catch (error) {
        if (error instanceof AppError && error.code === 'unavailable') {
          this.#pending.unshift(...rows, ...left.flat())
          this.#writeSoon()
          break
        }
        // One that is refused, of a key that was just removed, must not take the others with it.
        if (rows.length > 1) left.unshift(...rows.map((row) => [row]))
        else this.#log.warn({ err: error, calls: 1 }, 'could not write down a call over MCP')
      }
    }
    this.#dropOldest()
  }

  /** A connection that broke may have written the row. */
  async #insert(rows: CallRow[]): Promise<void> {
    const insert = this.#database.db.insertInto('mcp_calls').values(rows)
    await insert.onConflict((conflict) => conflict.column('id').doNothing()).execute()
  }

  #dropOldest(): void {
    const { length } = this.#pending.splice(0, Math.max(0, this.#pending.length - MAX_PENDING))
    if (length > 0) this.#log.warn({ calls: length }, 'dropped calls over MCP that could not be written down')
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
