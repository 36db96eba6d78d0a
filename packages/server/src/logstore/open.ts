import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { backOffMs, pause } from '../pause.ts'
import { createStore, type StoreParts } from './clickhouse-store.ts'
import { SMALLEST_SEGMENT_BYTES } from './engine/memory-limit.ts'
import { openEmbedded } from './engine/open-embedded.ts'
import { findEngineRuntime } from './engine/runtime.ts'
import type { LogStore } from './log-store.ts'
import { openServer } from './open-server.ts'
import type { TableLayout } from './schema/schema.ts'

const RETRY_FROM_MS = 500
const RETRY_TO_MS = 10_000
const CLOSE_MS = 2_000

export type LogStoreOptions = {
  /** Null: the embedded engine, below the data folder. */
  clickhouse: { url: string; cluster: string | null } | null
  dataDir: string
  log: Log
}

/** The store is returned at once and answers as soon as it can. Only an engine that can never run is an error here. */
export function openLogStore({ clickhouse, dataDir, log }: LogStoreOptions): LogStore {
  if (clickhouse !== null) return openSoon(() => openServer(clickhouse), clickhouse, log)
  const runtime = findEngineRuntime()
  if (typeof runtime === 'string') throw new AppError('unavailable', runtime)
  return openSoon((signal) => openEmbedded({ runtime, dataDir, log, signal }), { cluster: null }, log)
}

/**
 * A log store that can be used at once. Ingest must not wait for the engine to load its parts, so until the real store
 * answers, calls fail exactly as they do while an engine restarts; an opening that fails is tried again.
 */
function openSoon(open: (signal: AbortSignal) => Promise<StoreParts>, { cluster }: TableLayout, log: Log): LogStore {
  const closing = new AbortController()
  let parts: StoreParts | undefined
  let failures = 0
  let refusal: string | undefined

  const opening = async () => {
    while (!closing.signal.aborted) {
      try {
        const opened = await open(closing.signal)
        if (closing.signal.aborted) await opened.close()
        else parts = opened
        return
      } catch (error) {
        if (closing.signal.aborted) return
        failures++
        refusal = refusalIn(error)
        const { message, cause } = error as Error
        log.error({ err: error, cause }, `the log store could not be opened: ${message}`)
        await pause(backOffMs(failures, RETRY_FROM_MS, RETRY_TO_MS), closing.signal)
      }
    }
  }
  const opened = opening().catch((error) => log.error({ err: error }, 'the log store could not be closed'))

  const ready = (): StoreParts => {
    if (parts) return parts
    throw new AppError('engine_restarting', 'The log store is starting. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
  return createStore({
    layout: { cluster },
    maxSegmentBytes: () => parts?.maxSegmentBytes() ?? SMALLEST_SEGMENT_BYTES,
    client: () => ready().client(),
    loadDay: async (segment, load) => ready().loadDay(segment, load),
    health() {
      const state = failures > 0 ? 'failed' : 'starting'
      const health = parts?.health() ?? { state, restarts: 0, detachedParts: null, ...(refusal && { refusal }) }
      return { ...health, restarts: failures + health.restarts }
    },
    async close() {
      closing.abort()
      // A distant server may be slow to answer; nobody waits for that.
      await Promise.race([opened, sleep(CLOSE_MS, undefined, { ref: false })])
      await parts?.close()
    },
  })
}

/** The sentence of an error that will be the same the next time. */
function refusalIn(error: unknown): string | undefined {
  return error instanceof AppError && error.code === 'conflict' ? error.message : undefined
}
