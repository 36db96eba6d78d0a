/**
 * Encodes batches in worker threads. Small plain bodies are encoded at once in the calling thread: transferring them would
 * cost more than the work. Batches of projects with redaction rules of their own never are, because their patterns may
 * take any time, and they have threads of their own.
 */

import type { Log } from '../../log.ts'
import { SequenceSource } from '../../logstore/schema/log-id.ts'
import { readProjectKey } from '../parse/read-batch.ts'
import { PROTOCOL_FACTS } from '../senders/protocol-facts.ts'
import { type EncodedBatch, type EncodeJob, encodeBatch } from './encode-batch.ts'
import { EncodeLane, type KeyJob, type SlowLimits } from './encode-lane.ts'

const MAX_INLINE_BYTES = 4 * 1024
/** The lane of own rules needs two: the last free one is never for a project that is slow. */
const LEAST_OWN_RULES_THREADS = 2
const OWN_RULES_LIMITS: SlowLimits = { runMs: 20_000, waitMs: 30_000 }

export class EncodePool {
  readonly #plain: EncodeLane
  readonly #ownRules: EncodeLane
  readonly #sequence = new SequenceSource()

  constructor({ threads, ownRules = OWN_RULES_LIMITS, log }: { threads: number; ownRules?: SlowLimits; log: Log }) {
    this.#plain = new EncodeLane({ threads, log })
    this.#ownRules = new EncodeLane({ threads: Math.max(LEAST_OWN_RULES_THREADS, threads), slow: ownRules, log })
  }

  get waitingBytes(): number {
    return this.#plain.waitingBytes + this.#ownRules.waitingBytes
  }

  async encode(job: EncodeJob): Promise<EncodedBatch> {
    const hasOwnRules = job.redaction.rules.length > 0
    if (!hasOwnRules && isSmall(job)) return encodeBatch(job, this.#sequence)
    // The body is transferred, not copied: nobody else may use it after this. A part of a larger piece of memory is copied.
    const isWhole = job.body.byteLength === job.body.buffer.byteLength
    const transfer = isWhole ? [job.body.buffer as ArrayBuffer] : []
    return (hasOwnRules ? this.#ownRules : this.#plain).run(job.projectId, { kind: 'encode', job }, transfer)
  }

  /** The key inside a body, for senders that can set no header. */
  async readKey(job: KeyJob): Promise<string | null> {
    return isSmall(job) ? readProjectKey(job) : this.#plain.run('keys', { kind: 'key', job }, [])
  }

  async close(): Promise<void> {
    await Promise.all([this.#plain.close(), this.#ownRules.close()])
  }
}

function isSmall({ body, contentEncoding, contentType, sender }: KeyJob & Pick<EncodeJob, 'sender'>): boolean {
  const isPlain = contentEncoding === '' || contentEncoding === 'identity'
  const isCompressed = sender !== undefined && PROTOCOL_FACTS[sender.protocol].isAlwaysCompressed(contentType)
  return body.length <= MAX_INLINE_BYTES && isPlain && !isCompressed
}
