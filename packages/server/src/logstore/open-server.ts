/**
 * The log store on a ClickHouse server or cluster. The segment travels as the body of the insert; the server leaves out
 * the header rows and other days, with the same statement as the embedded engine.
 */
import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { ARCHIVE_STRUCTURE, insertFrom } from './archive/archive-statements.ts'
import { CLIENT_OPTIONS, loadStatement, STRUCTURE_LITERAL, type StoreParts } from './clickhouse-store.ts'
import { LARGEST_SEGMENT_BYTES } from './engine/memory-limit.ts'
import type { EngineHealth } from './log-store.ts'
import { CLUSTER_SETTINGS } from './query/query-limits.ts'
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
  const client = naming(
    createClient({
      ...CLIENT_OPTIONS,
      url,
      clickhouse_settings: { ...(cluster === null ? {} : CLUSTER_SETTINGS), log_comment: ALL_PROJECTS },
    }),
  )
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
    layout: { cluster },
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

/** What is said where a statement is not about one project. */
const ALL_PROJECTS = '*'

/**
 * Says in a setting as well whose records a question is about. A row policy can read it, and then the server itself keeps
 * the records of others back, whatever the condition of a statement says; without one it only stands in the server's log.
 */
function naming(client: ClickHouseClient): ClickHouseClient {
  const ask = client.query.bind(client) as ClickHouseClient['query']
  client.query = ((question) => {
    const project = question.query_params?.project
    if (typeof project !== 'string') return ask(question)
    return ask({ ...question, clickhouse_settings: { ...question.clickhouse_settings, log_comment: project } })
  }) as ClickHouseClient['query']
  return client
}
