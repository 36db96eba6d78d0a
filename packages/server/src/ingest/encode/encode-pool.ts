/**
 * Encodes batches in worker threads. Small plain bodies are done at once in the calling thread: transferring them would
 * cost more than the work. When too much is waiting, the request is refused rather than kept in memory.
 */
import { Worker } from 'node:worker_threads'
import { builtFile } from '../../built-file.ts'
import { AppError, type ErrorCode, type FieldError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { readProjectKey } from '../parse/read-batch.ts'
import { PROTOCOL_FACTS } from '../senders/protocol-facts.ts'
import { type EncodedBatch, type EncodeJob, encodeBatch } from './encode-batch.ts'

const MAX_INLINE_BYTES = 4 * 1024
const MAX_WAITING_BYTES = 64 * 1024 * 1024

type KeyJob = Pick<EncodeJob, 'body' | 'contentType' | 'contentEncoding'>
export type Task = { id: number; kind: 'encode'; job: EncodeJob } | { id: number; kind: 'key'; job: KeyJob }
export type Answer = { id: number } & (
  | { value: unknown }
  | { error: { code: ErrorCode; message: string; fields: FieldError[] } }
  | { bug: string }
)
type Pending = { bytes: number; thread: Thread; resolve: (value: never) => void; reject: (error: unknown) => void }
type Thread = { worker: Worker; tasks: number }
type NewTask = { kind: 'encode'; job: EncodeJob } | { kind: 'key'; job: KeyJob }

export class EncodePool {
  readonly #log: Log
  readonly #threads: Thread[] = []
  readonly #pending = new Map<number, Pending>()
  readonly #sequence = new SequenceSource()
  #waitingBytes = 0
  #nextId = 1
  #isClosed = false

  constructor({ threads, log }: { threads: number; log: Log }) {
    this.#log = log
    for (let count = 0; count < threads; count++) this.#threads.push(this.#startThread())
  }

  get waitingBytes(): number {
    return this.#waitingBytes
  }

  async encode(job: EncodeJob): Promise<EncodedBatch> {
    if (isSmall(job)) return encodeBatch(job, this.#sequence)
    // The body is transferred, not copied: nobody else may use it after this. A part of a larger piece of memory is copied.
    const isWhole = job.body.byteLength === job.body.buffer.byteLength
    return this.#ask<EncodedBatch>({ kind: 'encode', job }, isWhole ? [job.body.buffer as ArrayBuffer] : [])
  }

  /** The key inside a body, for senders that can set no header. */
  async readKey(job: KeyJob): Promise<string | null> {
    return isSmall(job) ? readProjectKey(job) : this.#ask<string | null>({ kind: 'key', job }, [])
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all(this.#threads.map(({ worker }) => worker.terminate()))
  }

  #ask<Result>(task: NewTask, transfer: ArrayBuffer[]): Promise<Result> {
    const bytes = task.job.body.length
    const thread = this.#threads.reduce((least, one) => (one.tasks < least.tasks ? one : least))
    if (this.#waitingBytes > 0 && this.#waitingBytes + bytes > MAX_WAITING_BYTES) {
      return Promise.reject(
        new AppError(
          'unavailable',
          'More is arriving than this service can handle at the moment: send it again shortly.',
        ),
      )
    }
    return new Promise((resolve, reject) => {
      const id = this.#nextId++
      this.#pending.set(id, { bytes, thread, resolve, reject })
      this.#waitingBytes += bytes
      thread.tasks++
      thread.worker.postMessage({ id, ...task }, transfer)
    })
  }

  #settle(answer: Answer): void {
    const pending = this.#pending.get(answer.id)
    if (!pending) return
    this.#pending.delete(answer.id)
    this.#waitingBytes -= pending.bytes
    pending.thread.tasks--
    if ('value' in answer) pending.resolve(answer.value as never)
    else if ('error' in answer)
      pending.reject(new AppError(answer.error.code, answer.error.message, { fields: answer.error.fields }))
    else pending.reject(new Error(answer.bug))
  }

  #startThread(): Thread {
    // Without the parent's arguments: the condition that leads a test to the sources must not lead compiled code there.
    const worker = new Worker(builtFile('./encode-worker.js', import.meta.url), { execArgv: [] })
    const thread: Thread = { worker, tasks: 0 }
    thread.worker.on('message', (answer: Answer) => this.#settle(answer))
    thread.worker.on('error', (error) => this.#log.error({ err: error }, 'an encoding thread failed'))
    thread.worker.on('exit', () => this.#replace(thread))
    return thread
  }

  /** What the thread was working on is lost, and none of it was stored. */
  #replace(thread: Thread): void {
    for (const [id, pending] of this.#pending) {
      if (pending.thread === thread) {
        this.#pending.delete(id)
        this.#waitingBytes -= pending.bytes
        pending.reject(
          new AppError('unavailable', 'This request could not be processed. None of it was kept: send it again.'),
        )
      }
    }
    if (!this.#isClosed) this.#threads[this.#threads.indexOf(thread)] = this.#startThread()
  }
}

function isSmall({ body, contentEncoding, contentType, sender }: KeyJob & Pick<EncodeJob, 'sender'>): boolean {
  const isPlain = contentEncoding === '' || contentEncoding === 'identity'
  const isCompressed = sender !== undefined && PROTOCOL_FACTS[sender.protocol].isAlwaysCompressed(contentType)
  return body.length <= MAX_INLINE_BYTES && isPlain && !isCompressed
}
