/** The built service as a separate process, for measuring it from outside. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BenchResult, figure } from './result.ts'

const BIN = join(process.cwd(), 'packages/cli/bin/tidemark.mjs')
const READY_TIMEOUT_MS = 300_000

/** `threads`: CPU seconds by the thread's number, the first one the main thread. */
export type Usage = { cpuSeconds: number; rssBytes: number; threads: Map<string, number> }

export class ServiceProcess {
  readonly dataDir: string
  readonly url: string
  readonly child: ChildProcess
  /** From the start of the process. */
  readonly listeningAfterMs: number
  readonly readyAfterMs: number
  /** Variables beside the usual ones: its commands need them too. */
  readonly #more: Record<string, string>

  private constructor(
    parts: Pick<ServiceProcess, 'dataDir' | 'url' | 'child' | 'listeningAfterMs' | 'readyAfterMs'>,
    more: Record<string, string>,
  ) {
    this.#more = more
    this.dataDir = parts.dataDir
    this.url = parts.url
    this.child = parts.child
    this.listeningAfterMs = parts.listeningAfterMs
    this.readyAfterMs = parts.readyAfterMs
  }

  static async start(
    dataDir = mkdtempSync(join(tmpdir(), 'tidemark-bench-')),
    more: Record<string, string> = {},
  ): Promise<ServiceProcess> {
    const startedAt = performance.now()
    const child = spawn(process.execPath, [BIN, 'serve'], {
      env: { ...environment(dataDir), ...more },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let output = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
    while (!/running at (http\S+)/.test(output)) {
      if (child.exitCode !== null) throw new Error('the service did not start')
      await sleep(5)
    }
    const listeningAfterMs = performance.now() - startedAt
    const url = /running at (http\S+)/.exec(output)?.[1] ?? ''
    while (performance.now() - startedAt < READY_TIMEOUT_MS) {
      const response = await fetch(`${url}/readyz`)
      await response.arrayBuffer()
      if (response.ok)
        return new ServiceProcess(
          { dataDir, url, child, listeningAfterMs, readyAfterMs: performance.now() - startedAt },
          more,
        )
      await sleep(20)
    }
    throw new Error('the service did not become ready')
  }

  createProject(name = 'bench'): { projectId: string; ingestKey: string; readKey: string } {
    const { project, ingestKey, readKey } = this.#operate(['project', 'create', name])
    return { projectId: project.id, ingestKey, readKey }
  }

  /** Resolves when its commits can be read. */
  async connectRepository(projectId: string, path: string): Promise<void> {
    this.#operate(['repository', 'connect', '--project', projectId, path])
    while (this.#operate(['repository', 'show', '--project', projectId]).repository.state !== 'ready') await sleep(500)
  }

  #operate(args: string[]) {
    const env = { ...environment(this.dataDir), ...this.#more }
    return JSON.parse(execFileSync(process.execPath, [BIN, ...args, '--json'], { env, encoding: 'utf8' }))
  }

  async metric(name: string): Promise<number> {
    const text = await (await fetch(`${this.url}/metrics`)).text()
    return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1] ?? Number.NaN)
  }

  /** Resolves when so many records, since its start, can be searched. */
  async loaded(records: number, askEveryMs = 100): Promise<void> {
    while ((await this.metric('tidemark_flusher_loaded_records_total')) < records) await sleep(askEveryMs)
  }

  usage(): { service: Usage; engine: Usage } {
    const enginePid = Number(readFileSync(join(this.dataDir, 'engine/engine.pid'), 'utf8').split(/\s/)[0])
    return { service: usageOf(this.child.pid ?? 0), engine: usageOf(enginePid) }
  }

  async stop({ keepData = false } = {}): Promise<void> {
    this.child.kill('SIGTERM')
    await once(this.child, 'exit')
    if (!keepData) rmSync(this.dataDir, { recursive: true, force: true })
  }
}

export function folderBytes(folder: string): number {
  return Number(execFileSync('du', ['-sb', folder], { encoding: 'utf8' }).split('\t')[0])
}

/** What the main thread and the two busiest others took. */
export function threadFigures(
  label: string,
  before: Usage,
  after: Usage,
  perMillion: (cpuSeconds: number) => number,
): BenchResult[] {
  const [main = 0, ...others] = [...after.threads].map(
    ([thread, seconds]) => seconds - (before.threads.get(thread) ?? 0),
  )
  const [first = 0, second = 0] = others.sort((a, b) => b - a)
  return [
    figure(`${label}: main thread, a million records`, perMillion(main), 's'),
    figure(`${label}: busiest other thread, a million records`, perMillion(first), 's'),
    figure(`${label}: second busiest, a million records`, perMillion(second), 's'),
  ]
}

export function usageOf(pid: number): Usage {
  const fields = statOf(`/proc/${pid}/stat`)
  const tasks = `/proc/${pid}/task`
  const threads = readdirSync(tasks).sort((a, b) => Number(a) - Number(b))
  return {
    cpuSeconds: cpuOf(fields),
    rssBytes: Number(fields[21]) * 4096,
    threads: new Map(threads.map((thread) => [thread, cpuOf(statOf(`${tasks}/${thread}/stat`))])),
  }
}

/** A thread that ended meanwhile has none. */
function statOf(path: string): string[] {
  try {
    return readFileSync(path, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
  } catch {
    return []
  }
}

function cpuOf(fields: readonly string[]): number {
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

function environment(dataDir: string): NodeJS.ProcessEnv {
  const { PATH, HOME } = process.env
  return {
    PATH,
    HOME,
    TIDEMARK_DATA_DIR: dataDir,
    TIDEMARK_PORT: '0',
    TIDEMARK_LOG_LEVEL: 'error',
    TIDEMARK_ALLOW_LOCAL_REPOSITORIES: 'true',
  }
}
