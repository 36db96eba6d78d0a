/** Assembles the parts of ingest: spool and flusher on disk, encoding threads, and the way in. */
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { SPOOL_FOLDER } from '../folder/names.ts'
import type { Log } from '../log.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { SourceStacks } from '../model/source-stacks.ts'
import { type Accept, createAccept } from './door/accept.ts'
import { EncodePool } from './encode/encode-pool.ts'
import { createDiskSpace, createWriteProbe } from './spool/disk-space.ts'
import { Flusher } from './spool/flusher.ts'
import { Spool } from './spool/spool.ts'

/** How long the flusher may go on loading the spool at a stop; the rest waits for the next start. */
const FLUSH_AT_STOP_MS = 2_500

export type Ingest = {
  accept: Accept
  spool: Spool
  flusher: Flusher
  /** Reports why nothing can be stored now: the disk is nearly full or refuses writes, or the spool is full. */
  writeProblem(): Promise<string | undefined>
  close(): Promise<void>
}

export async function openIngest({
  dataDir,
  control,
  logStore,
  sources,
  log,
}: {
  dataDir: string
  control: Control
  logStore: LogStore
  sources?: SourceStacks
  log: Log
}): Promise<Ingest> {
  const folder = join(dataDir, SPOOL_FOLDER)
  const spool = await Spool.open({
    folder,
    space: createDiskSpace(dataDir),
    maxSegmentBytes: () => logStore.maxSegmentBytes(),
    log,
  })
  const flusher = new Flusher({ folder, spool, logStore, control, sources, log })
  await flusher.start()
  const probe = createWriteProbe(dataDir)
  const pool = new EncodePool({ threads: Math.max(1, availableParallelism() - 1), log })
  return {
    accept: createAccept({ control, spool, pool }),
    spool,
    flusher,
    async writeProblem() {
      try {
        await spool.checkSpace()
      } catch (error) {
        if (error instanceof AppError) return error.message
        throw error
      }
      return probe()
    },
    async close() {
      await pool.close()
      await spool.close()
      await flusher.stop(FLUSH_AT_STOP_MS)
    },
  }
}
