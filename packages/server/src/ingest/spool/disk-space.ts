/** Whether there is room for more. Our own check, because the engine's is fuzzy on a nearly full disk. */
import { open, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { folderTrouble } from '../../folder/data-folder.ts'
import { RUNNING_PROBE_FILE } from '../../folder/names.ts'
import { MAX_FREE_SHARE, MAX_SPOOL_BYTES, MAX_SPOOL_SHARE, MIN_FREE_BYTES, MIN_FREE_SHARE } from '../limits.ts'

const MEASURE_EVERY_MS = 1_000
const PROBE_EVERY_MS = 5_000
const PROBE_BYTES = 4096

export type DiskSpace = {
  /** Throws 503 when `spoolBytes` waiting to be loaded are too many, or the disk is nearly full. Asks the disk once a second. */
  check(spoolBytes: number): Promise<void>
}

export function createDiskSpace(folder: string, now: () => number = Date.now): DiskSpace {
  let measuredAt = Number.NEGATIVE_INFINITY
  let total = 0
  let free = 0
  return {
    async check(spoolBytes) {
      if (now() - measuredAt >= MEASURE_EVERY_MS) {
        const { bsize, blocks, bavail } = await statfs(folder)
        total = bsize * blocks
        free = bsize * bavail
        measuredAt = now()
      }
      if (free < minFreeBytes(total)) {
        throw new AppError(
          'storage_full',
          'The disk of this service is nearly full, so nothing more is accepted. Keep the records and send them again later.',
          { retryAfterSeconds: jitter(5, 30) },
        )
      }
      if (spoolBytes >= Math.min(MAX_SPOOL_BYTES, total * MAX_SPOOL_SHARE)) {
        throw new AppError(
          'spool_full',
          'More records are waiting to be stored than this service keeps. Keep the records and send them again later.',
          { retryAfterSeconds: jitter(5, 30) },
        )
      }
    },
  }
}

/**
 * Reports why the data folder cannot be written to. Really writes, because the size of the disk shows neither a quota nor a file
 * system that became read-only. A result is reused for some seconds, and while a slow probe is under way.
 */
export function createWriteProbe(folder: string, now: () => number = Date.now): () => Promise<string | undefined> {
  let dueAt = Number.NEGATIVE_INFINITY
  let result: Promise<string | undefined> = Promise.resolve(undefined)
  return () => {
    if (now() >= dueAt) {
      dueAt = Number.POSITIVE_INFINITY
      result = probe(join(folder, RUNNING_PROBE_FILE)).finally(() => {
        dueAt = now() + PROBE_EVERY_MS
      })
    }
    return result
  }
}

async function probe(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, 'w', 0o600)
    try {
      await file.writeFile(Buffer.alloc(PROBE_BYTES, 1))
      await file.datasync()
    } finally {
      await file.close()
      await rm(path, { force: true })
    }
    return undefined
  } catch (error) {
    return `The data folder ${folderTrouble(error)}.`
  }
}

/** What stays free on a disk of this size. A small one would be refused from the start, so it gives at most a share. */
export function minFreeBytes(total: number): number {
  return Math.min(Math.max(MIN_FREE_BYTES, total * MIN_FREE_SHARE), total * MAX_FREE_SHARE)
}

/** So that refused senders do not all come back in the same second. */
export function jitter(min: number, max: number): number {
  return Math.round(min + Math.random() * (max - min))
}
