/**
 * Keeps one engine child alive: starts it, checks every second that it answers, kills it when it is silent, and starts
 * it again. There is never more than one: a child is dead before the next one starts.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { backOffMs, pause } from '../../pause.ts'
import type { EngineHealth } from '../log-store.ts'
import { ENGINE_CODE } from './error.ts'
import { isSilent } from './heartbeat.ts'
import type { EngineMessage, EngineOptions } from './options.ts'
import { endOrphan, writePidFile } from './pid-file.ts'
import type { EngineRuntime } from './runtime.ts'

export type EngineDeadlines = {
  /** From start to ready: loading the parts of a large store takes seconds. */
  startMs: number
  /** From the last answer to the heartbeat. Machines are noisy: a shorter limit would kill healthy engines. */
  silenceMs: number
}

export const ENGINE_DEADLINES: EngineDeadlines = { startMs: 60_000, silenceMs: 5_000 }

const HEARTBEAT_MS = 1_000
/** At least this many heartbeats within the silence that is tolerated. */
const MIN_HEARTBEATS = 5
const LOCK_WAIT_MS = 10_000
const RESTART_FROM_MS = 200
const RESTART_TO_MS = 5_000
/** After this many restarts within the window a person should look. */
const MANY_RESTARTS = 5
const RESTART_WINDOW_MS = 60_000
/** The kernel takes the engine first when memory runs out, not the server. */
const OOM_SCORE = '500'
/** One for each connection and some for files: the engine's calls block a thread each. */
const THREADS = '16'

export type SupervisorParts = {
  runtime: EngineRuntime
  options: EngineOptions
  childPath: string
  pidFile: string
  /** For a native engine; they grow by the `slowdown` of the options. */
  deadlines: EngineDeadlines
  log: Log
  onReady: () => void
  /** Between a death and the next start. Ends early, without an error, when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}

export class EngineSupervisor {
  readonly #parts: SupervisorParts
  readonly #stopping = new AbortController()
  #child: ChildProcess | undefined
  #state: EngineHealth['state'] = 'starting'
  #restarts: number[] = []
  #restartCount = 0
  #running: Promise<void> | undefined

  constructor(parts: SupervisorParts) {
    const { startMs, silenceMs } = parts.deadlines
    const { slowdown } = parts.options
    this.#parts = { ...parts, deadlines: { startMs: startMs * slowdown, silenceMs: silenceMs * slowdown } }
  }

  get state(): EngineHealth['state'] {
    return this.#state
  }

  get restarts(): number {
    return this.#restartCount
  }

  /** Resolves when the engine answers. A failure here is thrown; later ones lead to restarts. */
  async start(): Promise<void> {
    const child = await this.#launch()
    this.#running = this.#supervise(child)
  }

  async close(): Promise<void> {
    this.#stopping.abort()
    this.#state = 'closed'
    this.#child?.kill('SIGKILL')
    await this.#running
    rmSync(this.#parts.pidFile, { force: true })
    rmSync(this.#parts.options.socketPath, { force: true })
  }

  async #supervise(first: ChildProcess): Promise<void> {
    let child: ChildProcess | undefined = first
    let endings = 0
    const wait = this.#parts.pause ?? pause
    while (!this.#stopping.signal.aborted) {
      if (child) {
        const startedAt = Date.now()
        await this.#watch(child)
        if (Date.now() - startedAt > RESTART_WINDOW_MS) endings = 0
      }
      if (this.#stopping.signal.aborted) return
      this.#noteRestart()
      endings++
      await wait(backOffMs(endings, RESTART_FROM_MS, RESTART_TO_MS), this.#stopping.signal)
      if (this.#stopping.signal.aborted) return
      child = await this.#launch().catch((error) => {
        if (!this.#stopping.signal.aborted) this.#parts.log.error({ err: error, cause: error.cause }, error.message)
        return undefined
      })
    }
  }

  /** Resolves when the child is dead. */
  async #watch(child: ChildProcess): Promise<void> {
    const { options, deadlines, log } = this.#parts
    const dead = new AbortController()
    const beatMs = Math.min(HEARTBEAT_MS, deadlines.silenceMs / MIN_HEARTBEATS)
    child.on('message', (message: EngineMessage) => {
      if (message.kind === 'failed') log.error({ reason: message.message }, 'the log engine failed')
    })
    const exited = exit(child).then((how) => {
      dead.abort()
      if (!this.#stopping.signal.aborted) log.error({ how }, 'the log engine ended; starting it again')
    })
    while (!dead.signal.aborted) {
      if (await isSilent(options.socketPath, deadlines.silenceMs - beatMs, dead.signal)) {
        log.error({ silenceMs: deadlines.silenceMs }, 'the log engine does not answer; ending it')
        child.kill('SIGKILL')
        break
      }
      await pause(beatMs, dead.signal)
    }
    await exited
  }

  #noteRestart(): void {
    const now = Date.now()
    this.#restartCount++
    this.#restarts = [...this.#restarts.filter((at) => now - at < RESTART_WINDOW_MS), now]
    this.#state = this.#restarts.length >= MANY_RESTARTS ? 'failed' : 'restarting'
  }

  /** Waits for a lock that a dying process still holds, and ends an orphan that holds it. */
  async #launch(): Promise<ChildProcess> {
    const { childPath, pidFile } = this.#parts
    endOrphan(pidFile, childPath)
    for (const startedAt = Date.now(); ; ) {
      const { child, answer } = await this.#spawn()
      this.#stopping.signal.throwIfAborted()
      if (answer.kind === 'ready') {
        this.#state = 'ready'
        this.#parts.onReady()
        return child
      }
      const failure = this.#failure(answer)
      if (answer.code !== ENGINE_CODE.lockHeld || Date.now() - startedAt > LOCK_WAIT_MS) throw failure
      await sleep(RESTART_FROM_MS, undefined, { signal: this.#stopping.signal })
    }
  }

  #failure(answer: EngineMessage & { kind: 'failed' }): AppError {
    const { databaseDir } = this.#parts.options
    const text =
      answer.code === ENGINE_CODE.lockHeld
        ? `Another process uses ${databaseDir}. Stop it, or set TIDEMARK_DATA_DIR to another folder.`
        : `The log engine cannot open ${databaseDir}. The reason is in the log; if its files are damaged, put back a backup or move the folder away to start with an empty store.`
    return new AppError('unavailable', text, { cause: new Error(answer.message) })
  }

  async #spawn(): Promise<{ child: ChildProcess; answer: EngineMessage }> {
    const { runtime, options, childPath, pidFile, deadlines, log } = this.#parts
    const child = spawn(runtime.command, [...runtime.args, childPath, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Nothing from our own environment: the engine needs no secrets.
      env: { ...runtime.env, UV_THREADPOOL_SIZE: THREADS, TZ: 'UTC' },
    })
    this.#child = child
    const output = collectOutput(child, log)
    if (child.pid !== undefined) {
      writePidFile(pidFile, child.pid)
      raiseOomScore(child.pid)
    }
    const answer = await Promise.race([
      once(child, 'message').then(([message]) => message as EngineMessage),
      exit(child).then(
        (how): EngineMessage => ({ kind: 'failed', code: 0, message: `it ended (${how}): ${output()}` }),
      ),
      sleep(deadlines.startMs, undefined, { ref: false, signal: this.#stopping.signal }).then(
        (): EngineMessage => ({
          kind: 'failed',
          code: 0,
          message: `not ready after ${deadlines.startMs} ms: ${output()}`,
        }),
        (): EngineMessage => ({ kind: 'failed', code: 0, message: 'stopped while starting' }),
      ),
    ])
    if (answer.kind === 'failed' || this.#stopping.signal.aborted) {
      child.kill('SIGKILL')
      await exit(child)
    }
    return { child, answer }
  }
}

/** How a child ended; at once for one that is dead already or never lived. */
async function exit(child: ChildProcess): Promise<string> {
  if (child.pid === undefined) return 'it could not be started'
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return child.signalCode ?? `code ${child.exitCode}`
}

/** The engine's output goes to our log at the lowest level; its last lines explain a failed start. */
function collectOutput(child: ChildProcess, log: Log): () => string {
  let last = ''
  child.on('error', (error) => {
    last = error.message
  })
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      last = (last + text).slice(-2_000)
      log.trace({ text }, 'the log engine says')
    })
  }
  return () => last
}

function raiseOomScore(pid: number): void {
  try {
    writeFileSync(`/proc/${pid}/oom_score_adj`, OOM_SCORE)
  } catch {
    // Not Linux, or not allowed: then the kernel chooses by itself.
  }
}
