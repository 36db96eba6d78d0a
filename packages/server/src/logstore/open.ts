import type { Log } from '../log.ts'
import { openServer } from './cluster.ts'
import { openEmbedded } from './embedded.ts'
import type { LogStore } from './log-store.ts'

export type LogStoreOptions = {
  /** Null: the embedded engine, below the data folder. */
  clickhouse: { url: string; cluster: string | null } | null
  dataDir: string
  log: Log
}

/** Resolves when the store answers and its table is there. */
export async function openLogStore({ clickhouse, dataDir, log }: LogStoreOptions): Promise<LogStore> {
  return clickhouse === null ? openEmbedded({ dataDir, log }) : openServer(clickhouse)
}
