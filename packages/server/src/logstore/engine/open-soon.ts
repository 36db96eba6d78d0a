/**
 * A log store that can be used at once. Ingest must not wait for the engine to load its parts, so until the real store
 * answers, calls fail exactly as they do while an engine restarts; an opening that fails is tried again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { EngineHealth, LogStore, ProjectLogs } from '../log-store.ts'

const RETRY_FROM_MS = 500
const RETRY_TO_MS = 10_000
const CLOSE_MS = 2_000

export function openSoon(
  open: (signal: AbortSignal) => Promise<LogStore>,
  kind: EngineHealth['kind'],
  log: Log,
): LogStore {
  const closing = new AbortController()
  let store: LogStore | undefined
  let failures = 0

  const opening = async () => {
    for (let pauseMs = RETRY_FROM_MS; !closing.signal.aborted; pauseMs = Math.min(pauseMs * 2, RETRY_TO_MS)) {
      try {
        const opened = await open(closing.signal)
        if (closing.signal.aborted) await opened.close()
        else store = opened
        return
      } catch (error) {
        if (closing.signal.aborted) return
        failures++
        const { message, cause } = error as Error
        log.error({ err: error, cause }, `the log store could not be opened: ${message}`)
        await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }
  const opened = opening().catch((error) => log.error({ err: error }, 'the log store could not be closed'))

  const ready = (): LogStore => {
    if (store) return store
    throw new AppError('engine_restarting', 'The log store is starting. Try again in a moment.', {
      retryAfterSeconds: 2,
    })
  }
  return {
    load: async (segment) => ready().load(segment),
    loadedDays: async (segmentIds) => ready().loadedDays(segmentIds),
    errorsOfSegments: async (question) => ready().errorsOfSegments(question),
    forget: async (id, beforeUs) => ready().forget(id, beforeUs),
    // Looked up at each call: a caller may hold on to a project's logs from before the store was ready.
    project: (id) =>
      new Proxy({} as ProjectLogs, {
        get: (_, name: keyof ProjectLogs) =>
          (async (...args: never[]) => (ready().project(id)[name] as (...args: never[]) => unknown)(...args)) as never,
      }),
    health: () =>
      store?.health() ?? {
        kind,
        state: failures > 0 ? 'failed' : 'starting',
        restarts: failures,
        detachedParts: null,
      },
    async close() {
      closing.abort()
      // A server far away may take its time to answer; nobody waits for that.
      await Promise.race([opened, sleep(CLOSE_MS, undefined, { ref: false })])
      await store?.close()
    },
  }
}
