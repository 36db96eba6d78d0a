import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { findEngineRuntime } from './engine/engine-runtime.ts'
import { openEmbedded } from './engine/open-embedded.ts'
import { openSoon } from './engine/open-soon.ts'
import type { LogStore } from './log-store.ts'
import { openServer } from './open-server.ts'

export type LogStoreOptions = {
  /** Null: the embedded engine, below the data folder. */
  clickhouse: { url: string; cluster: string | null } | null
  dataDir: string
  log: Log
}

/** The store is returned at once and answers as soon as it can. Only an engine that can never run is an error here. */
export function openLogStore({ clickhouse, dataDir, log }: LogStoreOptions): LogStore {
  if (clickhouse !== null) return openSoon(() => openServer(clickhouse), 'server', log)
  const runtime = findEngineRuntime()
  if (typeof runtime === 'string') throw new AppError('unavailable', runtime)
  return openSoon((signal) => openEmbedded({ dataDir, log, signal }), 'embedded', log)
}
