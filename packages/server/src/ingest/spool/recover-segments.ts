/** What an earlier process left in the spool, each segment cut back to its whole frames. */
import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../../log.ts'
import { cutSegment, scanSegment, segmentPath } from './segment-file.ts'
import type { SealedSegment } from './spool.ts'

type Parts = { folder: string; log: Log; damaged(bytes: number): void }

export async function recoverSegments({ folder, log, damaged }: Parts, ids: string[]): Promise<SealedSegment[]> {
  const segments: SealedSegment[] = []
  for (const id of ids) {
    const path = segmentPath(folder, id)
    const scan = await scanSegment(path)
    if (scan.goodBytes < scan.fileBytes) {
      const lostBytes = scan.fileBytes - scan.goodBytes
      if (scan.isDamaged) damaged(lostBytes)
      log[scan.isDamaged ? 'error' : 'info'](
        { segment: id, bytes: lostBytes },
        scan.isDamaged
          ? 'a spool segment is damaged: the rest of it was put into quarantine'
          : 'an unfinished end was cut off a spool segment',
      )
      await cutSegment(path, scan, join(folder, `${id}.quarantine`))
    }
    if (scan.frames.length === 0) await unlink(path)
    else segments.push({ id, path, frames: scan.frames, bytes: scan.goodBytes })
  }
  return segments
}
