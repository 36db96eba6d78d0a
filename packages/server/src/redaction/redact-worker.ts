/** A thread that does one task of `redact-in-thread.ts` and ends. */
import { parentPort, workerData } from 'node:worker_threads'
import { AppError } from '../errors.ts'
import { type RedactionAnswer, runTask } from './redact-in-thread.ts'

parentPort?.postMessage(answer())

function answer(): RedactionAnswer {
  try {
    return { value: runTask(workerData) }
  } catch (error) {
    // Errors lose their class between threads.
    if (error instanceof AppError) return { error: { code: error.code, message: error.message, fields: error.fields } }
    return { bug: String((error as Error).stack ?? error) }
  }
}
