/**
 * Threads that encode, and the batches that wait for them. Projects take turns, so the batches of one never wait for all
 * batches of another.
 */
import { Worker } from 'node:worker_threads'
import { builtFile } from '../../built-file.ts'
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { EncodeJob } from './encode-batch.ts'

export type KeyJob = Pick<EncodeJob, 'body' | 'contentType' | 'contentEncoding'>
type NewTask = { kind: 'encode'; job: EncodeJob } | { kind: 'key'; job: KeyJob }
export type Task = NewTask & { id: number }
export type Answer =
  | { isReady: true }
  | { id: number; value: unknown }
  | { id: number; error: { code: ErrorCode; message: string; fields: FieldError[] } }
  | { id: number; bug: string }

/** Limit for all batches of a lane. Above it a request is refused with 503. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024
/** Given to a thread in advance, so that it need not wait for the main thread between small batches. */
const AHEAD_BYTES = 256 * 1024

/** For batches of projects with rules of their own, whose patterns may take any time. */
export type SlowLimits = {
  /** For one batch. Past it the thread is ended, and the request is refused with 503. */
  runMs: number
  /** Until a batch is started. Past it the request is refused with 503. */
  waitMs: number
}
/** Limit for one project in a lane with `SlowLimits`. */
const MAX_WAITING_BYTES_OF_A_PROJECT = MAX_WAITING_BYTES / 4
/** A project with a batch that took longer leaves one thread to other projects for a while. */
const SLOW_BATCH_MS = 1_000
const SLOW_FOR_MS = 60_000
/** Time for an owner to change the rules. */
const RETRY_AFTER_SECONDS = 30

type Project = { name: string; jobs: Job[]; running: number; bytes: number; slowUntilMs: number }
type Job = {
  id: number
  task: NewTask
  transfer: ArrayBuffer[]
  bytes: number
  project: Project
  thread?: Thread
  startedMs: number
  timer?: NodeJS.Timeout
  resolve: (value: never) => void
  reject: (error: unknown) => void
}
type Thread = { worker: Worker; state: 'starting' | 'ready' | 'ending'; jobs: Map<number, Job>; bytes: number }

export class EncodeLane {
  readonly #maxThreads: number
  readonly #slow: SlowLimits | undefined
  readonly #log: Log
  readonly #threads = new Set<Thread>()
  /** In the order of their turns. */
  readonly #projects = new Map<string, Project>()
  #waitingBytes = 0
  #nextId = 1
  #isClosed = false

  /** A lane with `slow` starts its threads when they are needed. */
  constructor({ threads, slow, log }: { threads: number; slow?: SlowLimits; log: Log }) {
    this.#maxThreads = threads
    this.#slow = slow
    this.#log = log
    if (!slow) while (this.#threads.size < threads) this.#startThread()
  }

  /** Bytes of batches that wait or are being encoded. */
  get waitingBytes(): number {
    return this.#waitingBytes
  }

  run<Result>(name: string, task: NewTask, transfer: ArrayBuffer[]): Promise<Result> {
    const bytes = task.job.body.length
    const project = this.#projects.get(name) ?? { name, jobs: [], running: 0, bytes: 0, slowUntilMs: 0 }
    if (this.#isFull(project, bytes)) return Promise.reject(tooMuch())
    this.#projects.set(name, project)
    this.#waitingBytes += bytes
    project.bytes += bytes
    return new Promise((resolve, reject) => {
      const job: Job = { id: this.#nextId++, task, transfer, bytes, project, startedMs: 0, resolve, reject }
      project.jobs.push(job)
      if (this.#slow) job.timer = setTimeout(() => this.#giveUp(job), this.#slow.waitMs)
      this.#startJobs()
    })
  }

  async close(): Promise<void> {
    this.#isClosed = true
    for (const { jobs } of this.#projects.values()) for (const job of [...jobs]) this.#end(job, notProcessed())
    await Promise.all([...this.#threads].map(({ worker }) => worker.terminate()))
  }

  #isFull(project: Project, bytes: number): boolean {
    const isOver = (waiting: number, max: number) => waiting > 0 && waiting + bytes > max
    return (
      isOver(this.#waitingBytes, MAX_WAITING_BYTES) ||
      (this.#slow !== undefined && isOver(project.bytes, MAX_WAITING_BYTES_OF_A_PROJECT))
    )
  }

  #startJobs(): void {
    for (let project = this.#nextProject(); project; project = this.#nextProject()) {
      const thread = this.#freeThread()
      if (thread === undefined) {
        const isStarting = [...this.#threads].some(({ state }) => state === 'starting')
        if (!isStarting && this.#threads.size < this.#maxThreads) this.#startThread()
        return
      }
      this.#projects.delete(project.name)
      this.#projects.set(project.name, project)
      this.#startJob(project.jobs.shift()!, thread)
    }
  }

  /** The next project in turn. The last free thread of a slow lane is for a project that has none and was not slow. */
  #nextProject(): Project | undefined {
    const nowMs = Date.now()
    const isLast = this.#slow !== undefined && this.#busyThreads() >= this.#maxThreads - 1
    for (const project of this.#projects.values()) {
      const isSlow = project.slowUntilMs > nowMs
      if (project.jobs.length > 0 && !(isLast && (isSlow || project.running > 0))) return project
      if (project.bytes === 0 && !isSlow) this.#projects.delete(project.name)
    }
    return undefined
  }

  #busyThreads(): number {
    let busy = 0
    for (const { jobs, state } of this.#threads) if (jobs.size > 0 || state === 'ending') busy++
    return busy
  }

  #freeThread(): Thread | undefined {
    const aheadBytes = this.#slow ? 0 : AHEAD_BYTES
    let free: Thread | undefined
    for (const thread of this.#threads) {
      const hasRoom = thread.jobs.size === 0 || thread.bytes < aheadBytes
      if (thread.state === 'ready' && hasRoom && thread.jobs.size < (free?.jobs.size ?? Infinity)) free = thread
    }
    return free
  }

  #startJob(job: Job, thread: Thread): void {
    job.thread = thread
    job.startedMs = Date.now()
    job.project.running++
    thread.jobs.set(job.id, job)
    thread.bytes += job.bytes
    if (this.#slow) {
      clearTimeout(job.timer)
      job.timer = setTimeout(() => this.#stop(job, thread), this.#slow.runMs)
    }
    thread.worker.postMessage({ id: job.id, ...job.task }, job.transfer)
  }

  /** Ends a job that waits or runs. */
  #end(job: Job, outcome: { value: unknown } | Error): void {
    const { project, thread } = job
    clearTimeout(job.timer)
    this.#waitingBytes -= job.bytes
    project.bytes -= job.bytes
    if (thread === undefined) project.jobs.splice(project.jobs.indexOf(job), 1)
    else {
      thread.jobs.delete(job.id)
      thread.bytes -= job.bytes
      project.running--
      const nowMs = Date.now()
      if (this.#slow && nowMs - job.startedMs > SLOW_BATCH_MS) project.slowUntilMs = nowMs + SLOW_FOR_MS
    }
    if (outcome instanceof Error) job.reject(outcome)
    else job.resolve(outcome.value as never)
  }

  #giveUp(job: Job): void {
    const { project } = job
    const isOwnFault = project.running > 0 || project.slowUntilMs > Date.now()
    this.#end(
      job,
      isOwnFault
        ? tooSlow(
            'The redaction rules of this project are slow, and requests before this one are still being redacted.',
          )
        : keptWaiting((this.#slow?.waitMs ?? 0) / 1_000),
    )
  }

  /** A pattern cannot be interrupted, so its thread is ended. The next one is started when it is needed. */
  #stop(job: Job, thread: Thread): void {
    const about = { projectId: job.project.name, bytes: job.bytes }
    this.#log.warn(about, 'redaction rules of a project took too long for a batch, which was refused')
    thread.state = 'ending'
    const seconds = (this.#slow?.runMs ?? 0) / 1_000
    this.#end(job, tooSlow(`The redaction rules of this project took longer than ${seconds} seconds for this request.`))
    void thread.worker.terminate()
  }

  #startThread(): void {
    // Without the parent's arguments: the condition that leads a test to the sources must not lead compiled code there.
    const warm = this.#slow === undefined
    const worker = new Worker(builtFile('./encode-worker.js', import.meta.url), { execArgv: [], workerData: { warm } })
    const thread: Thread = { worker, state: 'starting', jobs: new Map(), bytes: 0 }
    this.#threads.add(thread)
    worker.on('message', (answer: Answer) => this.#receive(answer, thread))
    worker.on('error', (error) => this.#log.error({ err: error }, 'an encoding thread failed'))
    worker.on('exit', () => this.#replace(thread))
  }

  #receive(answer: Answer, thread: Thread): void {
    if ('isReady' in answer) thread.state = 'ready'
    else {
      const job = thread.jobs.get(answer.id)
      if (job === undefined) return
      if ('value' in answer) this.#end(job, answer)
      else if ('bug' in answer) this.#end(job, new Error(answer.bug))
      else this.#end(job, new AppError(answer.error.code, answer.error.message, { fields: answer.error.fields }))
    }
    this.#startJobs()
  }

  /** Batches that the thread was working on are lost. None of them was stored. */
  #replace(thread: Thread): void {
    this.#threads.delete(thread)
    for (const job of [...thread.jobs.values()]) this.#end(job, notProcessed())
    if (this.#isClosed) return
    if (!this.#slow) this.#startThread()
    this.#startJobs()
  }
}

function tooMuch(): AppError {
  return new AppError(
    'unavailable',
    'More is arriving than this service can handle at the moment: send it again shortly.',
  )
}

function notProcessed(): AppError {
  return new AppError('unavailable', 'This request could not be processed. None of it was kept: send it again.')
}

function keptWaiting(seconds: number): AppError {
  return new AppError(
    'unavailable',
    `Slow redaction rules of other projects kept this request waiting for ${seconds} seconds. None of it was stored: send it again.`,
  )
}

/** Retryable, because senders drop what they may not send again, and the owner can still change the rules. */
function tooSlow(reason: string): AppError {
  const advice = 'None of it was stored. Simplify the rules under Settings → Redaction or send less at a time.'
  return new AppError('unavailable', `${reason} ${advice}`, { retryAfterSeconds: RETRY_AFTER_SECONDS })
}
