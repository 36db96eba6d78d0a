/** The log store inside this installation: an engine child below the data folder, reached through a Unix socket. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { type ClickHouseClient, createClient } from '@clickhouse/client'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { AppError } from '../../errors.ts'
import { ENGINE_FOLDER } from '../../folder/names.ts'
import type { Log } from '../../log.ts'
import { ARCHIVE_STRUCTURE, insertFrom } from '../archive/archive-statements.ts'
import { CLIENT_OPTIONS, loadStatement, STRUCTURE_LITERAL, type StoreParts } from '../clickhouse-store.ts'
import { ensureSchema } from '../schema/ensure-schema.ts'
import { FullDiskGuard } from './full-disk.ts'
import { maxSegmentBytes, memoryBudget } from './memory-limit.ts'
import { connectionSettings, EMBEDDED_LOAD_SETTINGS, engineXml } from './options.ts'
import { type EngineRuntime, engineChildPath } from './runtime.ts'
import { ENGINE_DEADLINES, type EngineDeadlines, EngineSupervisor } from './supervisor.ts'

const MAX_CONNECTIONS = 64
const DETACHED_EVERY_MS = HOUR_MS
/** The kernel's limit is 108 bytes with the closing zero. */
const MAX_SOCKET_PATH_BYTES = 100
/** Says where the socket is. */
const SOCKET_FILE = 'engine.socket'
const INSERT_FROM_FILE = insertFrom(`file({path:String}, 'Native', ${ARCHIVE_STRUCTURE}, 'gzip')`)
const LOAD_FROM_FILE = loadStatement(`file({path:String}, 'RowBinary', ${STRUCTURE_LITERAL})`)

type EmbeddedOptions = {
  runtime: EngineRuntime
  dataDir: string
  log: Log
  deadlines?: EngineDeadlines
  /** Ends the engine while it is still starting. */
  signal?: AbortSignal
}

export async function openEmbedded({
  runtime,
  dataDir,
  log,
  deadlines = ENGINE_DEADLINES,
  signal,
}: EmbeddedOptions): Promise<StoreParts> {
  if (runtime.slowdown > 1)
    log.warn('the log engine is not made for this processor and is many times slower than it should be')
  const engine = prepare(resolve(dataDir, ENGINE_FOLDER), runtime)
  let detachedParts: number | null = null
  const supervisor = new EngineSupervisor({
    options: engine.options,
    pidFile: engine.pidFile,
    runtime,
    childPath: engineChildPath(),
    deadlines,
    log,
    onReady: () => countDetached(),
  })
  const client = connectEngine(engine.options.socketPath)
  const countDetached = () => {
    askDetached(client).then(
      (parts) => {
        if (parts > (detachedParts ?? 0)) log.error({ parts }, 'the log engine set damaged parts aside')
        detachedParts = parts
      },
      (error) => log.warn({ err: error }, 'the damaged parts could not be counted'),
    )
  }
  const counting = setInterval(countDetached, DETACHED_EVERY_MS).unref()
  const close = async () => {
    clearInterval(counting)
    await supervisor.close()
    await client.close()
    if (!engine.options.socketPath.startsWith(engine.folder))
      rmSync(dirname(engine.options.socketPath), { recursive: true })
  }
  const giveUp = () => void supervisor.close()
  signal?.addEventListener('abort', giveUp)
  try {
    await supervisor.start()
    if (await ensureSchema(client, { cluster: null })) await syncDefinitions(engine.options.databaseDir)
  } catch (error) {
    await close()
    throw error
  } finally {
    signal?.removeEventListener('abort', giveUp)
  }
  const guard = new FullDiskGuard({ client, folder: engine.options.databaseDir, log })
  return {
    layout: { cluster: null },
    maxSegmentBytes: () => engine.maxSegmentBytes,
    client: () => client,
    loadDay: (segment, load) => {
      const query_params = { ...load.query_params, path: globless(segment.path) }
      const clickhouse_settings = { ...load.clickhouse_settings, ...EMBEDDED_LOAD_SETTINGS }
      return guard.load(segment, load.query_params.day, async () => {
        await client.command({ query: LOAD_FROM_FILE, query_params, clickhouse_settings })
      })
    },
    loadPart: async (path, settings) => {
      const clickhouse_settings = { ...settings, ...EMBEDDED_LOAD_SETTINGS }
      await client.command({ query: INSERT_FROM_FILE, query_params: { path: globless(path) }, clickhouse_settings })
    },
    health: () => ({ state: supervisor.state, restarts: supervisor.restarts, detachedParts }),
    close,
  }
}

function prepare(folder: string, { requireFrom, slowdown }: EngineRuntime) {
  const databaseDir = join(folder, 'database')
  mkdirSync(databaseDir, { recursive: true, mode: 0o700 })
  const budget = memoryBudget()
  const configFile = join(folder, 'engine.xml')
  writeFileSync(configFile, engineXml(budget), { mode: 0o600 })
  const settings = connectionSettings(budget, slowdown)
  const socketPath = socketIn(folder)
  writeFileSync(join(folder, SOCKET_FILE), `${socketPath}\n`, { mode: 0o600 })
  return {
    folder,
    maxSegmentBytes: maxSegmentBytes(budget, slowdown),
    options: { databaseDir, configFile, socketPath, requireFrom, settings, slowdown },
    pidFile: join(folder, 'engine.pid'),
  }
}

/** Of the engine that a running service keeps below the data folder. For who can read that folder only. */
export function connectRunning(dataDir: string): ClickHouseClient {
  const file = resolve(dataDir, ENGINE_FOLDER, SOCKET_FILE)
  try {
    return connectEngine(readFileSync(file, 'utf8').trim())
  } catch (error) {
    throw new AppError(
      'unavailable',
      `The log engine of the running service is not found: ${file} cannot be read. Run this as the user of the service.`,
      {
        cause: error,
      },
    )
  }
}

function socketIn(folder: string): string {
  const path = join(folder, 'engine.sock')
  if (Buffer.byteLength(path) <= MAX_SOCKET_PATH_BYTES) return path
  return join(mkdtempSync(join(tmpdir(), 'tidemark-')), 'engine.sock')
}

function connectEngine(socketPath: string): ClickHouseClient {
  // Node's agent accepts a socket path although its type does not say so.
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_CONNECTIONS, ...{ socketPath } })
  return createClient({ ...CLIENT_OPTIONS, url: 'http://engine', http_agent: agent })
}

async function askDetached(client: ClickHouseClient): Promise<number> {
  const query = 'SELECT toUInt32(count()) AS parts FROM system.detached_parts'
  const [row] = await (await client.query({ query, format: 'JSONEachRow' })).json<{ parts: number }>()
  return row?.parts ?? 0
}

/** The engine would read these characters as a pattern and load other files, or none. */
function globless(path: string): string {
  if (!/[*?{}]/.test(path)) return path
  throw new AppError(
    'invalid_request',
    `The path of the data folder holds one of * ? { }: ${path}. Set TIDEMARK_DATA_DIR to one without.`,
  )
}

/**
 * Syncs the engine's table definitions and their folders to disk. The engine does not: a table made in the last seconds
 * before power loss would be gone, with everything loaded into it.
 */
async function syncDefinitions(databaseDir: string): Promise<void> {
  for (const entry of await readdir(databaseDir, { recursive: true, withFileTypes: true })) {
    if (entry.isDirectory() || entry.name.endsWith('.sql')) await sync(join(entry.parentPath, entry.name))
  }
  await sync(databaseDir)
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r').catch(ignoreVanished)
  await file?.sync().finally(() => file.close())
}

/** Parts come and go while we walk. */
function ignoreVanished(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}
