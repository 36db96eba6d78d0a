/** Reads a map in a thread of its own, with limits of memory and time, so that none holds up or takes down the service. */
import { Worker } from 'node:worker_threads'
import { builtFile } from '../built-file.ts'
import type { MapContent } from '../control/sourcemaps/map-contents.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { READING_HEAP_MB, READING_MS } from './limits.ts'

export type ReadTask = { body: Uint8Array; contentEncoding: string }
export type ReadAnswer =
  | (Omit<MapContent, 'compressed'> & { compressed: Uint8Array; digest: string })
  | { code: ErrorCode; message: string }
  | { bug: string }

/** `digest` is of the map as it was written, inflated. */
type DigestedMap = { digest: string; content: MapContent }

const HINT = 'Split the bundle into smaller files, each with a map of its own.'

/** Settles when the thread has ended, so that the next in line never runs a second one beside it. */
export function readInThread(task: ReadTask, { maxMs = READING_MS, heapMb = READING_HEAP_MB } = {}) {
  return new Promise<DigestedMap>((resolve, reject) => {
    // Without the parent's arguments: the condition that leads a test to the sources must not lead compiled code there.
    const worker = new Worker(builtFile('./read-worker.js', import.meta.url), {
      execArgv: [],
      workerData: task,
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    // What happens first counts.
    let settle: (() => void) | undefined
    const late = setTimeout(() => {
      const tooSlow = `Reading the source map takes longer than ${maxMs} ms. ${HINT}`
      settle ??= () => reject(new AppError('body_too_large', tooSlow))
      void worker.terminate()
    }, maxMs)
    worker.once('message', (answer: ReadAnswer) => {
      settle ??= () => {
        if ('bug' in answer) reject(new Error(answer.bug))
        else if ('code' in answer) reject(new AppError(answer.code, answer.message))
        else {
          const { digest, compressed, ...content } = answer
          resolve({ digest, content: { ...content, compressed: Buffer.from(compressed) } })
        }
      }
    })
    worker.once('error', (error: NodeJS.ErrnoException) => {
      const isTooLarge = error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const tooLarge = `Reading the source map takes more memory than there is for it. ${HINT}`
      settle ??= () => reject(isTooLarge ? new AppError('body_too_large', tooLarge, { cause: error }) : error)
    })
    worker.once('exit', () => {
      clearTimeout(late)
      const ended = 'The source map could not be read. None of it was kept: send it again.'
      if (settle) settle()
      else reject(new AppError('unavailable', ended))
    })
  })
}
