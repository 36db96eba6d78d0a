/**
 * Starts the built service and runs its command line as a stranger would: a separate process, a clean environment, its
 * own folder. Most files do not need their own service: those of one worker share one, each with its own projects. In the
 * shape of several nodes a service is two processes behind one address, over stores that are not in its folder.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { announcedPort } from '../../../scripts/until.mjs'
import { secondFolder, startPair } from './node-pair.ts'
import {
  type Belongings,
  checkout,
  type Environment,
  type Exit,
  folderOf,
  killGroup,
  type Launched,
  launch,
  ofThisFile,
  ofThisWorker,
  temporaryFolder,
} from './processes.ts'
import { isSeveralNodes, storesOf } from './stores.ts'

export type Service = {
  /** Where it listens, whatever its public address is. */
  readonly url: string
  readonly port: number
  readonly pid: number
  readonly dataDir: string
  /** The processes it consists of: itself, or those behind its address. */
  readonly nodes: readonly Service[]
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

const BIN = join(checkout, 'packages/cli/bin/tidemark.mjs')
/** The engine may have to be unpacked and run under emulation. */
const READY_TIMEOUT_MS = 120_000
const COMMAND_TIMEOUT_MS = 120_000
const ASK_EVERY_MS = 25
/** A ClickHouse server that is not there. */
const NO_ENGINE = { TIDEMARK_CLICKHOUSE_URL: 'http://127.0.0.1:1' }

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

type FolderOptions = ServiceOptions & { dataDir: string }

/** One that brings its own stores or its own command is one process in every shape. */
async function start(options: FolderOptions, owner: Belongings): Promise<Service> {
  const { env = {}, dataDir, command } = options
  if (!isSeveralNodes || command || env.TIDEMARK_DATABASE_URL || env.TIDEMARK_CLICKHOUSE_URL) {
    return startProcess(options, owner)
  }
  owner.folders.push(secondFolder(dataDir))
  const stores = await storesOf(dataDir)
  return startPair(dataDir, owner === ofThisFile ? 'file' : 'worker', (folder, publicUrl) => {
    const noEngine = options.engine === false ? NO_ENGINE : {}
    const settings = { ...stores, ...noEngine, TIDEMARK_PUBLIC_URL: publicUrl, ...env }
    return startProcess({ ...options, dataDir: folder, env: settings }, owner)
  })
}

async function startProcess(
  { env = {}, dataDir, command, engine = true, until }: FolderOptions,
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
    get nodes() {
      return [service]
    },
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
  const child = await launchTidemark(args, { env, dataDir })
  const timer = setTimeout(() => killGroup(child.pid), COMMAND_TIMEOUT_MS)
  const { code } = await child.exited
  clearTimeout(timer)
  const { stdout, stderr } = child.output
  return { code, stdout, stderr, json: () => JSON.parse(stdout) }
}

/** Begins one command, for a test that does not let it come to its end. */
export async function launchTidemark(
  args: readonly string[],
  { env = {}, dataDir }: { env?: Environment; dataDir: string },
): Promise<Launched> {
  const stores = env.TIDEMARK_DATABASE_URL ? {} : await storesOf(dataDir)
  const settings = { TIDEMARK_DATA_DIR: dataDir, TIDEMARK_PORT: '0', ...stores, ...env }
  return launch([process.execPath, BIN, ...args], settings)
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

async function answersWell(port: number, path: string): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    await response.arrayBuffer()
    return response.status === 200
  } catch {
    return false
  }
}
