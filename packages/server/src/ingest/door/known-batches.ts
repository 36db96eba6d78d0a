/**
 * Which bytes a batch id stands for, asked before a batch is acknowledged: in this node's memory for what the flusher
 * has not claimed yet, in the control store for the rest. It spares senders a surprise; counts are right without it:
 * what it cannot know (another node just took other bytes) the flusher stores as a separate batch (Invariant 3).
 */
import { BATCH_MEMORY_HOURS, BATCH_MEMORY_MS } from '@tidemark/wire/batch-id'
import type { BatchBytes, Batches, KnownBatch } from '../../control/batches.ts'
import { AppError } from '../../errors.ts'

/** Far more than arrive between two loads. At the limit the oldest is forgotten. */
const MAX_REMEMBERED = 20_000

export class KnownBatches {
  readonly #stored: Pick<Batches, 'find'>
  readonly #now: () => number
  readonly #recent = new Map<string, KnownBatch>()

  constructor(stored: Pick<Batches, 'find'>, now: () => number) {
    this.#stored = stored
    this.#now = now
  }

  /** What is known about the id, within the time that a batch is recognised. */
  async find(projectId: string, batchId: string): Promise<BatchBytes | undefined> {
    const recent = this.#recall(keyOf(projectId, batchId))
    if (recent !== undefined) return recent
    const stored = await this.#stored.find({ projectId, batchId }, this.#now() - BATCH_MEMORY_MS)
    if (stored !== undefined && this.#recall(keyOf(projectId, batchId)) === undefined) {
      this.#remember(keyOf(projectId, batchId), stored)
    }
    return stored
  }

  /**
   * Gives the id to these bytes, or throws `batch_changed` when it stands for others. When they could not be stored after
   * all, `release` takes it back.
   */
  async take(projectId: string, batchId: string, bytes: BatchBytes): Promise<{ release(): void }> {
    const key = keyOf(projectId, batchId)
    const nowMs = this.#now()
    const known = this.#recall(key)
    if (known === undefined) {
      const taken = { ...bytes, claimedMs: nowMs }
      this.#remember(key, taken)
      const release = () => {
        if (this.#recent.get(key) === taken) this.#recent.delete(key)
      }
      return { release }
    }
    const isSame = known.digest === '' || known.digest === bytes.digest
    const isStored =
      isSame ||
      (await this.#stored.find({ projectId, batchId, digest: bytes.digest }, nowMs - BATCH_MEMORY_MS)) !== undefined
    if (!isStored) {
      throw new AppError(
        'batch_changed',
        `The batch id "${batchId}" was used for a batch with other bytes within the last ${BATCH_MEMORY_HOURS} hours. None of this request was stored: send a changed batch under a new batch id.`,
      )
    }
    return { release: () => {} }
  }

  #recall(key: string): KnownBatch | undefined {
    const known = this.#recent.get(key)
    return known === undefined || known.claimedMs < this.#now() - BATCH_MEMORY_MS ? undefined : known
  }

  #remember(key: string, batch: KnownBatch): void {
    // A Map keeps its keys in insertion order.
    this.#recent.delete(key)
    if (this.#recent.size >= MAX_REMEMBERED) this.#recent.delete(this.#recent.keys().next().value!)
    this.#recent.set(key, batch)
  }
}

function keyOf(projectId: string, batchId: string): string {
  return `${projectId}\n${batchId}`
}
