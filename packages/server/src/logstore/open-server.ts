/**
 * The log store on a ClickHouse server or cluster. The segment travels as the body of the insert; the server leaves out
 * the header rows and other days, with the same statement as the embedded engine.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { createClient } from '@clickhouse/client'
import { ARCHIVE_STRUCTURE, insertFrom } from './archive/archive-statements.ts'
import { CLIENT_OPTIONS, loadStatement, STRUCTURE_LITERAL, type StoreParts } from './clickhouse-store.ts'
import { LARGEST_SEGMENT_BYTES } from './engine/memory-limit.ts'
import type { EngineHealth } from './log-store.ts'
import { ensureSchema } from './schema/ensure-schema.ts'

const PING_EVERY_MS = 5_000
const INSERT_FROM_BODY = `${insertFrom(`input(${ARCHIVE_STRUCTURE})`)} FORMAT Native`
const LOAD_FROM_BODY = `${loadStatement(`input(${STRUCTURE_LITERAL})`)} FORMAT RowBinary`

type ServerOptions = {
  /** With user, password and database, such as `http://user:password@host:8123/database`. */
  url: string
  /** Name of the cluster for replicated and distributed tables; null for a single server. */
  cluster: string | null
}

export async function openServer({ url, cluster }: ServerOptions): Promise<StoreParts> {
  const client = createClient({
    ...CLIENT_OPTIONS,
    url,
    // A distributed insert returns only when the shard has it: only then may the segment leave the spool.
    clickhouse_settings: cluster === null ? {} : { distributed_foreground_insert: 1 },
  })
  try {
    await ensureSchema(client, { cluster })
  } catch (error) {
    await client.close()
    throw error
  }
  let state: EngineHealth['state'] = 'ready'
  const pinging = setInterval(async () => {
    const { success } = await client.ping()
    if (state !== 'closed') state = success ? 'ready' : 'restarting'
  }, PING_EVERY_MS).unref()
  return {
    maxSegmentBytes: () => LARGEST_SEGMENT_BYTES,
    client: () => client,
    loadDay: async (segment, load) => {
      const values = createReadStream(segment.path, { end: segment.bytes - 1 })
      const { stream } = await client.exec({ ...load, query: LOAD_FROM_BODY, values })
      stream.resume()
    },
    loadPart: async (path, clickhouse_settings) => {
      const values = pipeline(createReadStream(path), createGunzip(), () => {})
      const { stream } = await client.exec({ query: INSERT_FROM_BODY, clickhouse_settings, values })
      stream.resume()
    },
    health: () => ({ state, restarts: 0, detachedParts: null }),
    close: async () => {
      state = 'closed'
      clearInterval(pinging)
      await client.close()
    },
  }
}
