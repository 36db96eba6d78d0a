import { stat } from 'node:fs/promises'
import { MINUTE_MS } from '@tidemark/wire/time/units'
import type { Log } from '../../log.ts'
import { scanFrames } from './frame.ts'
import { keepFrames, quarantine, readSegment } from './segment-file.ts'
import type { SealedSegment } from './spool.ts'

/** The system still has a file in memory that was written this recently, so reading it would not show what is on the disk. */
const FRESH_MS = MINUTE_MS

/**
 * Reduces a segment to its intact frames before it is loaded, and returns the number of bytes put into quarantine. The
 * log store loads the file as it is, so one damaged frame would spoil or block all others. A segment of this process is
 * checked too if it waited: the log store may have been away for hours. The order makes a crash harmless: first the
 * damaged bytes are saved, then the segment is replaced in one step.
 */
export async function recoverSegment(segment: SealedSegment, log: Log, nowMs: number): Promise<number> {
  const { id, path } = segment
  // The file is longer than its frames if cutting it back failed after a disk error.
  if (nowMs - segment.sealedMs < FRESH_MS && (await stat(path)).size === segment.bytes) return 0
  const content = await readSegment(path)
  // Bytes after the end of a segment are the rest of a failed write, whose sender got an error.
  const { frames, damaged, unfinishedBytes } = scanFrames(content.subarray(0, segment.bytes), id)
  const cutBytes = unfinishedBytes + Math.max(0, content.length - segment.bytes)
  segment.frames = frames
  if (damaged.length === 0 && cutBytes === 0) return 0
  const parts = damaged.map(({ start, end }) => content.subarray(start, end))
  const damagedBytes = parts.reduce((sum, part) => sum + part.length, 0)
  const file = parts.length === 0 ? undefined : await quarantine(path, parts)
  segment.frames = await keepFrames(path, content, frames)
  segment.bytes = segment.frames.at(-1)?.end ?? 0
  if (file !== undefined)
    log.error(
      { segment: id, damaged, bytes: damagedBytes, file },
      'a spool segment is damaged: what cannot be read was put into quarantine, the rest is loaded',
    )
  if (cutBytes > 0) log.info({ segment: id, bytes: cutBytes }, 'an unfinished write was cut off a spool segment')
  return damagedBytes
}
