/**
 * Checks settings and redacts samples, with own rules in threads. A pattern that passes every check can still take minutes
 * for one text: `z.*y|z` starts over at each `z`. So each thread has a deadline.
 */
import { Worker } from 'node:worker_threads'
import { atMost } from '../at-most.ts'
import { builtFile } from '../built-file.ts'
import { AppError, type ErrorCode, type FieldError } from '../errors.ts'
import { redactFields, redactSample } from './redact.ts'
import { checkRedaction, type RedactionSettings } from './settings.ts'

/** `isNew`: the settings are not saved yet, so they are checked first. `isJson`: the text is that of `redactFields`. */
export type RedactionTask = { settings: RedactionSettings; text: string; isNew: boolean; isJson?: boolean }
type RedactedSample = ReturnType<typeof redactSample>
export type RedactionAnswer =
  | { value: RedactedSample }
  | { error: { code: ErrorCode; message: string; fields: FieldError[] } }
  | { bug: string }

export type RedactionThreads = {
  /** Ends when the client leaves. Refused at the deadline, because the person can change the rules. */
  sample(projectId: string, task: RedactionTask, signal?: AbortSignal): Promise<RedactedSample>
  /** Redacts the fields of an object. Refused with 503 at the deadline, because the sender cannot change the rules. */
  fields<Fields extends object>(
    projectId: string,
    settings: RedactionSettings,
    fields: Fields,
  ): Promise<{ fields: Fields; redactions: Record<string, number> }>
}

const THREADS = 2
/** Tasks of one project that run or wait. One more is refused with 503. */
const MAX_WAITING = 20
const MAX_MS = 5_000
/** The rules of a project need a fraction of this. */
const HEAP_MB = 256

/** Runs `threads` tasks at once, one of each project. The others wait in line. */
export function openRedactionThreads({ threads = THREADS, maxMs = MAX_MS } = {}): RedactionThreads {
  const inTurn = atMost(threads)
  const lines = new Map<string, { waiting: number; last: Promise<unknown> }>()

  async function run(projectId: string, task: RedactionTask, late: AppError, signal?: AbortSignal) {
    if (task.settings.rules.length === 0) return runTask(task)
    const line = lines.get(projectId) ?? { waiting: 0, last: Promise.resolve() }
    if (line.waiting === MAX_WAITING) {
      throw new AppError(
        'unavailable',
        'The redaction rules of this project are still busy with earlier requests. Try again shortly.',
      )
    }
    lines.set(projectId, line)
    line.waiting++
    const next = () => inTurn(() => runInThread(task, { maxMs, late, signal }))
    const mine = line.last.then(next, next)
    line.last = mine
    try {
      return await mine
    } finally {
      line.waiting--
      if (line.waiting === 0) lines.delete(projectId)
    }
  }

  const reason = `The redaction rules took longer than ${maxMs / 1_000} seconds or too much memory, so they were stopped.`
  return {
    sample(projectId, task, signal) {
      const advice = 'Use smaller repeat counts and no ".*", or try a shorter sample.'
      return run(projectId, task, new AppError('invalid_request', `${reason} ${advice}`), signal)
    },
    async fields(projectId, settings, fields) {
      const late = new AppError('unavailable', `${reason} Make the rules of the project simpler, then send this again.`)
      const task = { settings, text: JSON.stringify(fields), isNew: false, isJson: true }
      const { text, redactions } = await run(projectId, task, late)
      return { fields: JSON.parse(text), redactions }
    },
  }
}

export function runTask({ settings, text, isNew, isJson }: RedactionTask): RedactedSample {
  if (isNew) checkRedaction(settings)
  return isJson ? redactFields(settings, text) : redactSample(settings, text)
}

type Limits = { maxMs: number; late: AppError; signal?: AbortSignal | undefined }

/** Settles when the thread has ended, so that no more than `THREADS` run. */
function runInThread(task: RedactionTask, { maxMs, late, signal }: Limits): Promise<RedactedSample> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    // Without the parent's arguments: the condition that leads a test to the sources must not lead compiled code there.
    const worker = new Worker(builtFile('./redact-worker.js', import.meta.url), {
      execArgv: [],
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB },
    })
    // The first outcome counts.
    let settle: (() => void) | undefined
    const end = (error: unknown) => {
      settle ??= () => reject(error)
      void worker.terminate()
    }
    const leave = () => end(signal?.reason)
    signal?.addEventListener('abort', leave)
    // A busy machine takes long to start a thread, which is not the fault of the rules.
    let timer: NodeJS.Timeout | undefined
    worker.once('online', () => {
      timer = setTimeout(() => end(late), maxMs)
    })
    worker.once('message', (answer: RedactionAnswer) => {
      settle ??= () => {
        if ('value' in answer) resolve(answer.value)
        else if ('bug' in answer) reject(new Error(answer.bug))
        else reject(new AppError(answer.error.code, answer.error.message, { fields: answer.error.fields }))
      }
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      settle ??= () => reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? late : error)
    })
    worker.once('exit', () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', leave)
      if (settle) settle()
      else reject(new AppError('unavailable', 'The redaction rules could not be applied. Try again.'))
    })
  })
}
