/**
 * Starts the built service and runs its command line as a stranger would: a separate process, a clean environment, its
 * own folder. Every process a test file started is gone and every folder removed at its end, however the tests
 * went; a process that outlived the one that started it fails the file. Most files do not need their own service: those
 * of one worker share one, each with its own projects.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { atFileEnd } from '../file-end.ts'

type Environment = Record<string, string>
type Exit = { code: number | null; signal: NodeJS.Signals | null }

export type Service = {
  /** Where it listens, whatever its public address is. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** All it has printed so far, both streams interleaved. */
  output(): string
  stdout(): string
  stderr(): string
  /** Sends the signal without waiting. */
  signal(name: NodeJS.Signals): void
  /** As Ctrl-C in a terminal: every process of its group gets SIGINT. */
  pressControlC(): void
  exited(): Promise<Exit>
  /** Sends the signal (SIGTERM when none is named) and waits for the end. */
  stop(name?: NodeJS.Signals): Promise<Exit>
}

type ServiceOptions = {
  env?: Environment
  dataDir?: string
  /** Another way to start it, run in the checkout. */
  command?: readonly string[]
  /** 'listening' does not wait for what is still being opened. */
  until?: 'ready' | 'listening'
  /**
   * False for what does not concern the log store: none is started, and starting an emulated one takes a core for ten
   * seconds. The service then only listens, and never becomes ready.
   */
  engine?: boolean
}

export type CommandResult = {
  code: number | null
  stdout: string
  stderr: string
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asks for
  json(): any
}

export const checkout = fileURLToPath(new URL('../../..', import.meta.url))
const BIN = join(checkout, 'packages/cli/bin/tidemark.mjs')
/** The engine may have to be unpacked and run under emulation. */
const READY_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 120_000
const ASK_EVERY_MS = 25
/** What a shell gives everybody. Nothing from the test runner, no TIDEMARK_ variable. */
const PASSED_ON = ['PATH', 'HOME', 'USER', 'LANG', 'TMPDIR']

/** Processes that a service started must be gone this long after it ended. */
const ORPHAN_GRACE_MS = 5_000

/** A ClickHouse server that is not there. */
const NO_ENGINE = { TIDEMARK_CLICKHOUSE_URL: 'http://127.0.0.1:1' }

/** Everything that must be gone at some moment. */
type Belongings = { processes: Set<ChildProcess>; groups: Set<number>; folders: string[] }
const ofThisFile: Belongings = { processes: new Set(), groups: new Set(), folders: [] }
const ofThisWorker: Belongings = { processes: new Set(), groups: new Set(), folders: [] }

let shared: Promise<Service> | undefined

/** Resolves when /readyz says so, or with `until: 'listening'` /healthz; rejects with all it printed when it ends before. */
export function startService({ dataDir = temporaryFolder(), ...options }: ServiceOptions = {}): Promise<Service> {
  return start({ dataDir, ...options }, ofThisFile)
}

/**
 * The service for all files of this worker that need no special configuration: repositories may be local, everything
 * else is the default. Its output starts over for each caller. A test that changes what belongs to all projects, or
 * counts over them, starts its own.
 */
export async function sharedService(): Promise<Service> {
  shared ??= start(
    { dataDir: folderOf(ofThisWorker), env: { TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true' } },
    ofThisWorker,
  )
  const service = await shared
  const [all, stdout, stderr] = [service.output().length, service.stdout().length, service.stderr().length]
  return {
    ...service,
    output: () => service.output().slice(all),
    stdout: () => service.stdout().slice(stdout),
    stderr: () => service.stderr().slice(stderr),
    stop: () => Promise.reject(new Error('Others use it too.')),
  }
}

async function start(
  { env = {}, dataDir, command, engine = true, until }: ServiceOptions & { dataDir: string },
  owner: Belongings,
): Promise<Service> {
  const settings = { TIDEMARK_DATA_DIR: dataDir, TIDEMARK_PORT: '0', ...(engine ? {} : NO_ENGINE), ...env }
  const child = launch(command ?? [process.execPath, BIN, 'serve'], settings, owner)
  const { output, exited } = child
  const port = await untilAnswering(child, until === 'listening' || !engine ? '/healthz' : '/readyz')
  const service: Service = {
    url: `http://127.0.0.1:${port}`,
    port,
    pid: child.pid,
    dataDir,
    output: () => output.all,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    signal: (name) => process.kill(child.pid, name),
    pressControlC: () => process.kill(-child.pid, 'SIGINT'),
    exited: () => exited,
    stop(name = 'SIGTERM') {
      if (child.isRunning()) process.kill(child.pid, name)
      return exited
    },
  }
  return service
}

/** Runs one command to its end. Without `dataDir` or TIDEMARK_DATA_DIR it gets an empty folder. */
export async function tidemark(
  args: readonly string[],
  { env = {}, dataDir = env.TIDEMARK_DATA_DIR ?? temporaryFolder() }: { env?: Environment; dataDir?: string } = {},
): Promise<CommandResult> {
  const child = launch([process.execPath, BIN, ...args], { TIDEMARK_DATA_DIR: dataDir, TIDEMARK_PORT: '0', ...env })
  const timer = setTimeout(() => killGroup(child.pid), COMMAND_TIMEOUT_MS)
  const { code } = await child.exited
  clearTimeout(timer)
  const { stdout, stderr } = child.output
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}

/** Removed at the end of the test file. */
export function temporaryFolder(): string {
  return folderOf(ofThisFile)
}

function folderOf(owner: Belongings): string {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-e2e-'))
  owner.folders.push(folder)
  return folder
}

type Launched = {
  pid: number
  output: { all: string; stdout: string; stderr: string }
  exited: Promise<Exit>
  isRunning(): boolean
}

function launch(command: readonly string[], env: Environment, owner = ofThisFile): Launched {
  const [program = '', ...args] = command
  // Its own group: Ctrl-C can be sent to all of it, and the clean-up reaches what it started itself.
  const child = spawn(program, args, {
    cwd: checkout,
    env: { ...cleanEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  owner.processes.add(child)
  if (child.pid !== undefined) owner.groups.add(child.pid)
  const output = { all: '', stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output.all += text
      output[name] += text
    })
  }
  const closed = new Promise((resolve) => child.once('close', resolve))
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', async (code, signal) => {
      owner.processes.delete(child)
      // An id whose group is gone may be given to somebody else.
      if (child.pid !== undefined) hasMembers(child.pid, owner)
      // The last words may still be in the pipe; a grandchild that holds it open must not hold the test.
      await Promise.race([closed, sleep(1_000)])
      resolve({ code, signal })
    })
  })
  return { pid: child.pid ?? 0, output, exited, isRunning: () => owner.processes.has(child) }
}

async function untilAnswering({ output, exited, isRunning }: Launched, path: string): Promise<number> {
  const giveUpAt = Date.now() + READY_TIMEOUT_MS
  while (Date.now() < giveUpAt) {
    if (!isRunning()) {
      const { code, signal } = await exited
      throw new Error(`The service ended (${signal ?? `exit code ${code}`}) before it was ready:\n${output.all}`)
    }
    const port = announcedPort(output)
    if (port !== undefined && (await answersWell(port, path))) return port
    await sleep(ASK_EVERY_MS)
  }
  throw new Error(`The service was not ready within ${READY_TIMEOUT_MS / 1000} s:\n${output.all}`)
}

/** Only after the welcome, the last thing a start does. The log knows the port even when the public address hides it. */
function announcedPort({ stdout, stderr }: Launched['output']): number | undefined {
  if (!stdout.includes('Stop with Ctrl-C.')) return undefined
  const port =
    /"port":(\d+)[^\n]*"msg":"listening"/.exec(stderr)?.[1] ?? /running at http:\/\/localhost:(\d+)/.exec(stdout)?.[1]
  return port === undefined ? undefined : Number(port)
}

async function answersWell(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}

export function cleanEnvironment(): Environment {
  return Object.fromEntries(PASSED_ON.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}

async function groupsLeft({ groups }: Belongings): Promise<number[]> {
  const giveUpAt = Date.now() + ORPHAN_GRACE_MS
  for (;;) {
    const left = [...groups].filter((group) => hasMembers(group, ofThisFile))
    if (left.length === 0 || Date.now() > giveUpAt) return left
    await sleep(ASK_EVERY_MS)
  }
}

function hasMembers(group: number, { groups }: Belongings): boolean {
  try {
    return process.kill(-group, 0)
  } catch {
    groups.delete(group)
    return false
  }
}

function remove({ groups, folders }: Belongings): void {
  for (const group of groups) killGroup(group)
  groups.clear()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

atFileEnd(async () => {
  const { processes } = ofThisFile
  const ends = [...processes].map((child) => new Promise((resolve) => child.once('exit', resolve)))
  for (const child of processes) if (child.pid) killGroup(child.pid)
  await Promise.all(ends)
  const left = await groupsLeft(ofThisFile)
  remove(ofThisFile)
  expect(left, 'process groups that outlived their first process').toEqual([])
})
// Also for an interrupted run: hooks no longer run then.
process.once('exit', () => [ofThisFile, ofThisWorker].forEach(remove))
process.once('disconnect', () => process.exit(1))
process.once('SIGTERM', () => process.exit(1))
