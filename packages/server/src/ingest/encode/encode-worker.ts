/** A thread that encodes batches, so that a large body never holds up the event loop. It never loads the engine. */
import { parentPort, workerData } from 'node:worker_threads'
import { freeBytes } from '../../bytes/free-bytes.ts'
import { AppError } from '../../errors.ts'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { readProjectKey } from '../parse/read-batch.ts'
import { type EncodeJob, encodeBatch } from './encode-batch.ts'
import type { Answer, Task } from './encode-lane.ts'
import { warmUp } from './warm-up.ts'

const sequence = new SequenceSource()
// A thread that is started because a batch waits for it does not.
if (workerData.warm) warmUp(sequence)

parentPort?.on('message', ({ id, kind, job }: Task) => {
  try {
    if (kind === 'key') send({ id, value: readProjectKey(job) })
    else {
      const value = encodeBatch(job as EncodeJob, sequence)
      send({ id, value }, [value.rows.buffer as ArrayBuffer])
    }
    freeBytes([job.body])
  } catch (error) {
    // Errors lose their class between threads; what a door needs from ours is carried over, a bug keeps its stack.
    if (error instanceof AppError)
      send({ id, error: { code: error.code, message: error.message, fields: error.fields } })
    else send({ id, bug: String((error as Error).stack ?? error) })
  }
})

send({ isReady: true })

function send(answer: Answer, transfer: ArrayBuffer[] = []): void {
  parentPort?.postMessage(answer, transfer)
}
