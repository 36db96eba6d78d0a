/**
 * The records that the service does not have yet: those of the open batch, and every sealed batch until it is settled.
 * Their bytes never pass `maxBufferBytes`; a record that finds no room is refused and the caller counts it.
 */
import { hex } from '../context.ts'
import type { DeliveryOptions } from '../options.ts'
import type { Platform } from '../platform.ts'
import { type Batch, OpenBatch } from './batch.ts'

export type OutboxSettings = Omit<DeliveryOptions, 'requestTimeoutMs' | 'exitTimeoutMs'>

export type Waited = {
  /** Records that the service acknowledged while we waited. */
  delivered: number
  /** Records that are still being tried. */
  pending: number
}

type Waiter = { left: Set<Batch>; delivered: number; finish(): void }

/** The last part of the room is for errors: a flood of lesser records must not hide them. */
const SHARE_FOR_ERRORS = 0.1

export class Outbox {
  readonly #settings: OutboxSettings
  readonly #platform: Pick<Platform, 'now' | 'after' | 'hold' | 'randomBytes'>
  readonly #onSealed: (batch: Batch) => void
  #sender: string
  readonly #open = new OpenBatch()
  readonly #sealed = new Set<Batch>()
  readonly #waiters = new Set<Waiter>()
  #batches = 0
  #bytes = 0
  #cancelSeal: (() => void) | undefined

  constructor(settings: OutboxSettings, platform: Platform, onSealed: (batch: Batch) => void) {
    this.#settings = settings
    this.#platform = platform
    this.#onSealed = onSealed
    this.#sender = hex(platform.randomBytes(12))
  }

  get bytes(): number {
    return this.#bytes
  }

  get records(): number {
    let records = this.#open.records
    for (const batch of this.#sealed) records += batch.records
    return records
  }

  /** Cheap: asked before a record is encoded. */
  hasRoom(isError: boolean): boolean {
    return this.#bytes < this.#roomFor(isError)
  }

  /** False when there is no room for it. */
  append(line: string, isError: boolean): boolean {
    const bytes = this.#open.append(line)
    if (this.#bytes + bytes > this.#roomFor(isError)) {
      this.#open.takeBack(bytes)
      return false
    }
    this.#bytes += bytes
    const { maxBatchBytes, maxBatchRecords, flushIntervalMs } = this.#settings
    if (this.#open.length > maxBatchBytes && this.#open.records > 1) {
      // Only a record that is larger by itself may pass the limit, and then it goes alone.
      this.#open.takeBack(bytes)
      this.seal()
      this.#open.append(line)
    }
    if (this.#open.length >= maxBatchBytes || this.#open.records >= maxBatchRecords) this.seal()
    else this.#cancelSeal ??= this.#platform.after(flushIntervalMs, () => this.seal())
    return true
  }

  seal(): void {
    this.#cancelSeal?.()
    this.#cancelSeal = undefined
    if (this.#open.records === 0) return
    const batch = this.newBatch(this.#open.take())
    this.#sealed.add(batch)
    this.#onSealed(batch)
  }

  newBatch({ bytes, records }: { bytes: Uint8Array; records: number }): Batch {
    const id = `${this.#sender}-${++this.#batches}`
    return { id, bytes, records, sealedAtMs: this.#platform.now(), attempts: 0, isRenamed: false }
  }

  /**
   * The same records under an id that nobody else can have. A process that was copied (a snapshot of a machine, say) has
   * the ids of its copy, so later ids start over as well.
   */
  renamed(batch: Batch): Batch {
    this.#sender = hex(this.#platform.randomBytes(12))
    return { ...this.newBatch(batch), sealedAtMs: batch.sealedAtMs, isRenamed: true }
  }

  has(batch: Batch): boolean {
    return this.#sealed.has(batch)
  }

  /** Oldest first. */
  batches(): Batch[] {
    return [...this.#sealed]
  }

  /** The batch is delivered or lost. Once is enough: nothing happens when it already was. */
  settle(batch: Batch, delivered: number): void {
    if (!this.#sealed.delete(batch)) return
    this.#bytes -= batch.bytes.length
    for (const waiter of [...this.#waiters]) {
      if (!waiter.left.delete(batch)) continue
      waiter.delivered += delivered
      if (waiter.left.size === 0) waiter.finish()
    }
  }

  /** The parts hold the batch's records; waiting for the batch means waiting for them. */
  replace(batch: Batch, parts: readonly Batch[]): void {
    this.#sealed.delete(batch)
    for (const part of parts) this.#sealed.add(part)
    for (const { left } of this.#waiters) {
      if (left.delete(batch)) for (const part of parts) left.add(part)
    }
  }

  /** Resolves when every batch there is now is settled, or after the time-out. Keeps the process alive until then. */
  settled(timeoutMs: number): Promise<Waited> {
    return new Promise((resolve) => {
      const release = this.#platform.hold()
      const cancel = this.#platform.after(timeoutMs, () => waiter.finish())
      const waiter: Waiter = {
        left: new Set(this.#sealed),
        delivered: 0,
        finish: () => {
          this.#waiters.delete(waiter)
          cancel()
          release()
          let pending = 0
          for (const batch of waiter.left) pending += batch.records
          resolve({ delivered: waiter.delivered, pending })
        },
      }
      this.#waiters.add(waiter)
      if (waiter.left.size === 0) waiter.finish()
    })
  }

  #roomFor(isError: boolean): number {
    const { maxBufferBytes } = this.#settings
    return isError ? maxBufferBytes : maxBufferBytes * (1 - SHARE_FOR_ERRORS)
  }
}
