/** Remembers when keys were last used and stores it once a minute, so that no request waits for it. */
import { sql } from 'kysely'
import { type ControlDatabase, type ControlLog, chunks } from '../database/database.ts'

const FLUSH_EVERY_MS = 60_000
/** The first use of a key: somebody may be watching for it. */
const FIRST_USE_AFTER_MS = 500
/** At the limit further keys are not remembered until the next write: their last use appears a minute older. */
const MAX_PENDING_KEYS = 10_000

export class KeyUse {
  readonly #database: ControlDatabase
  readonly #log: ControlLog
  readonly #timer: NodeJS.Timeout
  #pending = new Map<string, number>()
  #soon: NodeJS.Timeout | undefined

  constructor(database: ControlDatabase, log: ControlLog) {
    this.#database = database
    this.#log = log
    this.#timer = setInterval(() => void this.flush(), FLUSH_EVERY_MS)
    this.#timer.unref()
  }

  touch(keyId: string, nowMs: number, isFirst: boolean): void {
    const known = this.#pending.get(keyId)
    if (known === undefined && this.#pending.size >= MAX_PENDING_KEYS) return
    this.#pending.set(keyId, Math.max(known ?? 0, nowMs))
    if (isFirst) this.#soon ??= setTimeout(() => void this.flush(), FIRST_USE_AFTER_MS).unref()
  }

  /** Never fails: what cannot be written is logged and dropped. */
  async flush(): Promise<void> {
    clearTimeout(this.#soon)
    this.#soon = undefined
    const uses = [...this.#pending]
    this.#pending = new Map()
    try {
      for (const some of chunks(uses)) await this.#write(some)
    } catch (error) {
      this.#log.warn({ err: error, keys: uses.length }, 'could not write down when keys were last used')
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }

  async #write(uses: [string, number][]): Promise<void> {
    const rows = sql.join(uses.map(([id, at]) => sql`(cast(${id} as text), cast(${at} as bigint))`))
    // Both databases call the columns of a VALUES list column1 and column2.
    await sql`
      update api_keys set last_used_at = used.column2
      from (values ${rows}) as used
      where api_keys.id = used.column1 and coalesce(api_keys.last_used_at, 0) < used.column2
    `.execute(this.#database.db)
  }
}
