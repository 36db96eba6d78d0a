/**
 * All connections to the embedded engine: one that writes, some that only read, and one kept free so that a query can be
 * stopped and the heartbeat answered when all others are busy. A query that ignores its time limit is stopped from
 * outside; one that ignores that too has a dead thread, and the process must end (a native crash hangs, not exits).
 */
import { ConnectionSlot, type EngineCall, type NativeConnection, type NativeResult } from './connection-slot.ts'
import { SlotPool } from './slot-pool.ts'

const MAX_RUNNING_QUERIES = 8
const MAX_WAITING_QUERIES = 32
/** Of the places to run and of those to wait: however much one project asks, the others are still answered. */
const SHARE_OF_A_PROJECT = 0.5
const KILL_AFTER_MS = 1_000
/** A kill that arrives before the query has begun finds nothing to stop. */
const KILL_AGAIN_MS = 1_000
/** Ending the process ends the queries of all projects. What can still be stopped has stopped long before. */
const GIVE_UP_AFTER_MS = 10_000
const NO_VALUES: ReadonlyMap<string, string> = new Map()

type ConnectionOptions = {
  open: () => NativeConnection
  /** On every connection, unless a call says otherwise. */
  settings: Record<string, string>
  /** Factor by which the pauses above grow. */
  slowdown: number
  /** Called when a query can no longer be stopped. */
  onStuck: (label: string) => void
}

/** `project` is whose query it is, for the shares. */
export type EngineQuery = EngineCall & { isRead: boolean; project?: string | undefined; signal?: AbortSignal }

export class EngineConnections {
  readonly #options: ConnectionOptions
  readonly #readers: SlotPool
  readonly #writer: SlotPool
  readonly #control: SlotPool

  constructor(options: ConnectionOptions) {
    const { open, settings } = options
    this.#options = options
    const limits = { slots: 1, waiting: MAX_WAITING_QUERIES, share: 1 }
    const readOnly = { ...settings, readonly: '2' }
    this.#control = new SlotPool(limits, () => new ConnectionSlot('tidemark-control', open, settings))
    this.#writer = new SlotPool(limits, () => new ConnectionSlot('tidemark-write', open, settings))
    this.#readers = new SlotPool(
      { slots: MAX_RUNNING_QUERIES, waiting: MAX_WAITING_QUERIES, share: SHARE_OF_A_PROJECT },
      (index) => new ConnectionSlot(`tidemark-read-${index}`, open, readOnly),
    )
  }

  run(query: EngineQuery): Promise<NativeResult> {
    return (query.isRead ? this.#readers : this.#writer).use((slot) => this.#watch(slot, query), query)
  }

  /** Through the engine and not only through this process, whose event loop goes on after a native crash. */
  async ping(): Promise<void> {
    await this.#runControl('SELECT 1')
  }

  async #watch(slot: ConnectionSlot, query: EngineQuery): Promise<NativeResult> {
    query.signal?.throwIfAborted()
    const { slowdown, settings, onStuck } = this.#options
    let killing = Promise.resolve()
    let killingAgain: NodeJS.Timeout | undefined
    const kill = () => {
      killing = killing.then(() => this.#kill(slot))
      killingAgain ??= setInterval(kill, KILL_AGAIN_MS * slowdown)
    }
    const limitMs = Number(query.settings.get('max_execution_time') ?? settings.max_execution_time) * 1_000
    const killAt = limitMs + KILL_AFTER_MS * slowdown
    const timers = [
      setTimeout(kill, killAt),
      setTimeout(() => onStuck(slot.label), killAt + GIVE_UP_AFTER_MS * slowdown),
    ]
    query.signal?.addEventListener('abort', kill)
    try {
      return await slot.run(query)
    } finally {
      for (const timer of [...timers, killingAgain]) clearTimeout(timer)
      query.signal?.removeEventListener('abort', kill)
      // Until the kill has finished, the connection is not free: the next query on it would be stopped.
      await killing
    }
  }

  /** ASYNC, because waiting for the victim hangs. */
  async #kill(slot: ConnectionSlot): Promise<void> {
    await this.#runControl(`KILL QUERY WHERE Settings['log_comment'] = '${slot.label}' ASYNC`).catch(() => {})
  }

  async #runControl(sql: string): Promise<void> {
    await this.#control.use((slot) => slot.run({ sql, params: NO_VALUES, settings: NO_VALUES }))
  }
}
