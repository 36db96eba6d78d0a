/** The log table as a whole: read into the parts of an archive, and filled from them. */
import type { ClickHouseClient } from '@clickhouse/client'
import { AppError } from '../errors.ts'
import { ANY_RECORD } from './archive/archive-statements.ts'
import { type LogArchiveReader, readArchive, type Settled } from './archive/read-archive.ts'
import { translated } from './driver-errors.ts'
import { connectRunning, openEmbedded } from './engine/open-embedded.ts'
import { findEngineRuntime } from './engine/runtime.ts'
import type { LogStoreOptions } from './open.ts'
import { openServer } from './open-server.ts'
import { LOAD_SETTINGS, READ_SETTINGS } from './query/query-limits.ts'

export type LogArchive = {
  read(settled: Settled): LogArchiveReader
  isEmpty(): Promise<boolean>
  /** Adds the records of a part, a file in gzip. The same name twice adds them once. */
  load(part: { path: string; name: string }): Promise<void>
  close(): Promise<void>
}

/** Beside a running service: reads through its engine, which stays its own. */
export function openRunningArchive(dataDir: string): Pick<LogArchive, 'read' | 'close'> {
  const client = connectRunning(dataDir)
  return { read: (settled) => readArchive(() => client, settled), close: () => client.close() }
}

export async function openArchive({ clickhouse, dataDir, log }: LogStoreOptions): Promise<LogArchive> {
  const parts =
    clickhouse === null ? await openEmbedded({ runtime: runtime(), dataDir, log }) : await openServer(clickhouse)
  return {
    read: (settled) => readArchive(parts.client, settled),
    isEmpty: () => translated(() => isEmpty(parts.client())),
    load: ({ path, name }) =>
      translated(() => parts.loadPart(path, { ...LOAD_SETTINGS, insert_deduplication_token: name })),
    close: parts.close,
  }
}

function runtime() {
  const found = findEngineRuntime()
  if (typeof found === 'string') throw new AppError('unavailable', found)
  return found
}

async function isEmpty(client: ClickHouseClient): Promise<boolean> {
  const answer = await client.query({ query: ANY_RECORD, clickhouse_settings: READ_SETTINGS, format: 'JSONEachRow' })
  return (await answer.json()).length === 0
}
