/**
 * A throw-away PostgreSQL server for tests: its own folder, its own Unix socket, no network, no fsync. A shell sits
 * between us and the server and waits for our end of a pipe to close. However this process ends, the shell then stops
 * the server and removes the folder.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

export type TestPostgres = {
  /** Makes an empty database and gives its address. */
  createDatabase(): Promise<string>
  /** As a crash: every connection breaks. The data stays. */
  halt(): Promise<void>
  start(): Promise<void>
  /** Stops the server and removes its folder. */
  stop(): Promise<void>
}

type Account = { uid: number; gid: number }

const START_TIMEOUT_MS = 30_000
const LEAST_VERSION = 15
const SUPERVISE = `
"$0/postgres" -D "$1/data" -k "$1" -c listen_addresses= -c fsync=off -c full_page_writes=off \\
  -c max_connections=200 > "$1/log" 2>&1 &
server=$!
read -r order
kill -QUIT $server
wait $server
[ "$order" = keep ] || rm -rf "$1"
`

/** Undefined when a server can be started, else the reason why not. */
export function postgresUnavailable(): string | undefined {
  const found = findBinaries()
  if (found === undefined) return `PostgreSQL ${LEAST_VERSION} or newer is not installed`
  if (process.getuid?.() === 0 && postgresAccount() === undefined) {
    return 'PostgreSQL refuses to run as root and there is no "postgres" account'
  }
  return undefined
}

let shared: Promise<TestPostgres> | undefined

/**
 * One server for all test files that run in this process, each with its own databases. Nobody stops it: it ends with
 * the process.
 */
export function sharedPostgres(): Promise<Pick<TestPostgres, 'createDatabase'>> {
  shared ??= startPostgres()
  return shared
}

export async function startPostgres(): Promise<TestPostgres> {
  const binaries = findBinaries()
  if (binaries === undefined) throw new Error(postgresUnavailable())
  const account = process.getuid?.() === 0 ? postgresAccount() : undefined
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-postgres-'))
  if (account) chownSync(folder, account.uid, account.gid)
  // A linguistic collation, so that a query that forgets to compare bytes is caught.
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', join(folder, 'data'), '-U', 'postgres', '-A', 'trust', '--no-sync', '--encoding=UTF8', '--locale=C'].concat([
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ]),
    { ...account, cwd: folder, stdio: 'pipe' },
  )
  const address = (database: string) => `postgres://postgres@/${database}?host=${encodeURIComponent(folder)}`
  let supervisor: ChildProcess | undefined
  let databases = 0

  async function end(order: string): Promise<void> {
    const ending = supervisor
    if (!ending) return
    supervisor = undefined
    const exited = new Promise((resolve) => ending.once('exit', resolve))
    // Now we do wait for it.
    ending.ref()
    ending.stdin?.end(`${order}\n`)
    await exited
  }

  async function start(): Promise<void> {
    supervisor = spawn('sh', ['-c', SUPERVISE, binaries ?? '', folder], {
      ...account,
      cwd: folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    })
    // It waits for us to end; we do not wait for it.
    supervisor.unref()
    ;(supervisor.stdin as Socket).unref()
    await untilItAnswers(address('postgres'), join(folder, 'log'))
  }

  await start()
  return {
    async createDatabase() {
      databases += 1
      const name = `test_${databases}`
      const client = new pg.Client(address('postgres'))
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
      return address(name)
    },
    start,
    halt: () => end('keep'),
    stop: () => end('remove'),
  }
}

async function untilItAnswers(address: string, logFile: string): Promise<void> {
  const giveUpAt = Date.now() + START_TIMEOUT_MS
  for (;;) {
    const client = new pg.Client(address)
    try {
      await client.connect()
      await client.end()
      return
    } catch (cause) {
      if (Date.now() > giveUpAt) {
        throw new Error(`PostgreSQL did not start:\n${readFileSync(logFile, 'utf8')}`, { cause })
      }
      await sleep(50)
    }
  }
}

function findBinaries(): string | undefined {
  const root = '/usr/lib/postgresql'
  const installed = quietly(() => readdirSync(root)) ?? []
  const newest = installed.map(Number).filter((version) => version >= LEAST_VERSION)
  if (newest.length > 0) return join(root, String(Math.max(...newest)), 'bin')
  const version = quietly(() => execFileSync('pg_config', ['--version'], { encoding: 'utf8', stdio: 'pipe' }))
  if (Number(version?.match(/\d+/)?.[0]) < LEAST_VERSION) return undefined
  return quietly(() => execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: 'pipe' }).trim())
}

function postgresAccount(): Account | undefined {
  return quietly(() => {
    const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: 'pipe' }))
    return { uid: id('-u'), gid: id('-g') }
  })
}

function quietly<Result>(attempt: () => Result): Result | undefined {
  try {
    return attempt()
  } catch {
    return undefined
  }
}
