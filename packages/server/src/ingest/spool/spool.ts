/**
 * The spool: where an acknowledged record is durable before the log store has it (Invariant 1). Frames are appended to
 * one open segment; a single fdatasync serves every request that was waiting for it. Sealed segments go to the flusher.
 */
import { type FileHandle, mkdir, open, unlink } from 'node:fs/promises'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { newId } from '../../model/id.ts'
import { type DiskSpace, jitter } from './disk-space.ts'
import { encodeFrame, type Frame, type FrameMeta } from './frame.ts'
import { segmentPath, syncFolder } from './segment-file.ts'

/** A segment is sealed at this or at what the store loads at once; the flusher seals it earlier, by age. */
const MAX_SEGMENT_RECORDS = 200_000

export type SealedSegment = {
  id: string
  path: string
  /** Empty until it is loaded, for a segment that an earlier process left. */
  frames: Frame[]
  bytes: number
  /** 0 if an earlier process left the segment. */
  sealedMs: number
}

type Waiter = {
  meta: FrameMeta
  payload: Uint8Array
  resolve: () => void
  reject: (error: AppError) => void
}
type SpoolOptions = {
  folder: string
  space: DiskSpace
  maxSegmentBytes: () => number
  log: Log
  now?: () => number
}
type Size = { bytes: number; records: number }
type OpenSegment = {
  id: string
  path: string
  file: FileHandle
  frames: Frame[]
  bytes: number
  records: number
  openedMs: number
}

export class Spool {
  readonly #folder: string
  readonly #space: DiskSpace
  readonly #maxSegmentBytes: () => number
  readonly #log: Log
  readonly #now: () => number
  #segment: OpenSegment | undefined
  #waiting: Waiter[] = []
  #committing: Promise<void> | undefined
  #sealed: SealedSegment[] = []
  #sealRequested = false
  #loadingBytes = 0
  #isClosed = false
  #nextFrameNumber = 0
  #onSealed: () => void = () => {}

  static async open(options: SpoolOptions): Promise<Spool> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 })
    return new Spool(options)
  }

  private constructor({ folder, space, maxSegmentBytes, log, now = Date.now }: SpoolOptions) {
    this.#folder = folder
    this.#space = space
    this.#maxSegmentBytes = maxSegmentBytes
    this.#log = log
    this.#now = now
  }

  onSealed(listener: () => void): void {
    this.#onSealed = listener
  }

  /** Bytes on disk that the log store does not have yet. */
  get bytes(): number {
    return (
      this.#loadingBytes + (this.#segment?.bytes ?? 0) + this.#sealed.reduce((sum, segment) => sum + segment.bytes, 0)
    )
  }

  /** Throws 503 when there is no room. Ask before doing the work of a request. */
  async checkSpace(): Promise<void> {
    await this.#space.check(this.bytes)
  }

  /** Resolves once the frame is on disk and will survive power loss. On an error none of it is kept. */
  append(content: Omit<FrameMeta, 'number'>, payload: Uint8Array): Promise<void> {
    if (this.#isClosed)
      return Promise.reject(new AppError('unavailable', 'The service is stopping: send the records again in a moment.'))
    return new Promise((resolve, reject) => {
      const meta = { number: this.#nextFrameNumber++, ...content }
      this.#waiting.push({ meta, payload, resolve, reject })
      this.#committing ??= this.#commitAll()
    })
  }

  /** Seals the open segment if it holds anything and is at least this old. Resolves when that is done. */
  async sealIfOlderThan(ageMs: number): Promise<void> {
    if (!this.#segment || this.#segment.frames.length === 0 || this.#now() - this.#segment.openedMs < ageMs) return
    this.#sealRequested = true
    this.#committing ??= this.#commitAll()
    await this.#committing
  }

  /** Takes the oldest sealed segment for loading; the caller says when it is gone from the disk. */
  takeSealed(): { segment: SealedSegment; done: () => void } | undefined {
    const segment = this.#sealed.shift()
    if (!segment) return undefined
    const { bytes } = segment
    this.#loadingBytes += bytes
    const done = () => {
      this.#loadingBytes -= bytes
    }
    return { segment, done }
  }

  /** Queues a segment that an earlier process left behind. */
  adopt(segment: SealedSegment): void {
    this.#sealed.push(segment)
  }

  /** Finishes what is being written, seals it, and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true
    this.#sealRequested = true
    this.#committing ??= this.#commitAll()
    await this.#committing
  }

  /** One at a time. While a group is being synced the next one forms, so load makes groups larger, not slower. */
  async #commitAll(): Promise<void> {
    // Let requests that arrived in the same turn of the event loop join the first group.
    await Promise.resolve()
    try {
      while (this.#waiting.length > 0 || this.#sealRequested) {
        if (this.#waiting.length > 0) await this.#commitGroup()
        const isFull = this.#segment !== undefined && this.#isFull(this.#segment)
        if (isFull || this.#sealRequested) await this.#seal()
      }
    } finally {
      this.#committing = undefined
    }
  }

  async #commitGroup(): Promise<void> {
    const group = this.#takeGroup()
    let segment: OpenSegment | undefined
    let encoded: ReturnType<typeof encodeFrame>[]
    try {
      segment = this.#segment ?? (await this.#openSegment())
      const { id } = segment
      encoded = group.map(({ meta, payload }) => encodeFrame({ segment: id, ...meta }, payload))
      await writeAll(segment.file, encoded.flat(), segment.bytes)
      await segment.file.datasync()
    } catch (error) {
      await this.#abandon(segment, error)
      for (const waiter of group) waiter.reject(diskError(error))
      return
    }
    for (const [index, { meta }] of group.entries()) {
      const bytes = encoded[index]!.reduce((sum, part) => sum + part.length, 0)
      segment.frames.push({ meta, start: segment.bytes, end: segment.bytes + bytes })
      segment.bytes += bytes
      segment.records += meta.records
    }
    for (const waiter of group) waiter.resolve()
  }

  #isFull({ bytes, records }: Size): boolean {
    return bytes >= this.#maxSegmentBytes() || records >= MAX_SEGMENT_RECORDS
  }

  /** As many as fit into the segment, at least one, so that segments stay near their size under any load. */
  #takeGroup(): Waiter[] {
    const size: Size = { bytes: this.#segment?.bytes ?? 0, records: this.#segment?.records ?? 0 }
    let count = 0
    for (const waiter of this.#waiting) {
      if (count > 0 && this.#isFull(size)) break
      size.bytes += waiter.payload.length
      size.records += waiter.meta.records
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #openSegment(): Promise<OpenSegment> {
    const id = newId('seg', this.#now())
    const path = segmentPath(this.#folder, id)
    const file = await open(path, 'wx', 0o600)
    this.#segment = { id, path, file, frames: [], bytes: 0, records: 0, openedMs: this.#now() }
    await syncFolder(this.#folder)
    return this.#segment
  }

  async #seal(): Promise<void> {
    this.#sealRequested = false
    const segment = this.#segment
    if (!segment) return
    this.#segment = undefined
    await segment.file.close()
    // Its only group failed: nothing in it was acknowledged.
    if (segment.frames.length === 0) {
      await unlink(segment.path)
      return
    }
    const { id, path, frames, bytes } = segment
    this.#sealed.push({ id, path, frames, bytes, sealedMs: this.#now() })
    this.#onSealed()
  }

  /**
   * After a failed write or sync the file may hold anything past the last good group, and a second sync would lie. So it
   * is cut back to what was acknowledged and never written again.
   */
  async #abandon(segment: OpenSegment | undefined, error: unknown): Promise<void> {
    this.#log.error(
      { err: error, segment: segment?.id, acknowledgedBytes: segment?.bytes },
      'a spool segment could not be written',
    )
    if (!segment) {
      this.#segment = undefined
      return
    }
    await segment.file.truncate(segment.bytes).catch((truncateError) => {
      this.#log.error({ err: truncateError, segment: segment.id }, 'a spool segment could not be cut back')
    })
    await this.#seal().catch((closeError) =>
      this.#log.error({ err: closeError, segment: segment.id }, 'a spool segment could not be closed'),
    )
  }
}

/** A full disk shows as a short write without any error (the file system wrote what fitted), so the count is what matters. */
async function writeAll(file: FileHandle, parts: Uint8Array[], position: number): Promise<void> {
  const wanted = parts.reduce((sum, part) => sum + part.length, 0)
  const { bytesWritten } = await file.writev(parts, position)
  if (bytesWritten !== wanted)
    throw Object.assign(new Error(`short write: ${bytesWritten} of ${wanted} bytes`), { code: 'ENOSPC' })
}

function diskError(error: unknown): AppError {
  const isFull = ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException).code ?? '')
  return isFull
    ? new AppError(
        'storage_full',
        'The disk of this service is full. None of this request was kept: send it again later.',
        { cause: error, retryAfterSeconds: jitter(5, 30) },
      )
    : new AppError(
        'unavailable',
        'This service could not write to its disk. None of this request was kept: send it again later.',
        { cause: error, retryAfterSeconds: jitter(2, 10) },
      )
}
