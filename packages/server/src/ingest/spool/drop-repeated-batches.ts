import type { Control } from '../../control/open.ts'
import { storedRules } from '../../control/projects/retention-rules.ts'
import type { Log } from '../../log.ts'
import { keepFrames, readSegment } from './segment-file.ts'
import type { SealedSegment } from './spool.ts'

/**
 * A batch, which is its id and its bytes, belongs to the first frame that claims it in the control store; the same frame
 * claiming again after a crash still owns it. Frames that lost are cut out of the file before it is loaded (Invariant 3).
 * Says how many.
 */
export async function dropRepeatedBatches(
  segment: SealedSegment,
  { batches, log, nowMs }: Pick<Control, 'batches'> & { log: Log; nowMs: number },
): Promise<number> {
  const named = segment.frames.flatMap((frame, index) =>
    frame.meta.batchId === null ? [] : [{ frame, index, batchId: frame.meta.batchId }],
  )
  const owned = await batches.claim(
    named.map(({ frame, batchId }) => ({
      projectId: frame.meta.projectId,
      batchId,
      segmentId: segment.id,
      frame: frame.meta.number,
      digest: frame.meta.digest ?? '',
      receivedMs: frame.meta.receivedMs,
      retentionDays: frame.meta.retentionDays ?? 0,
      retentionRules: frame.meta.retentionRules === undefined ? undefined : storedRules(frame.meta.retentionRules),
    })),
    nowMs,
  )
  const lost = new Set(named.filter((_, at) => !owned[at]).map(({ index }) => index))
  if (lost.size > 0) {
    segment.frames = await keepFrames(
      segment.path,
      await readSegment(segment.path),
      segment.frames.filter((_, index) => !lost.has(index)),
    )
    segment.bytes = segment.frames.at(-1)?.end ?? 0
    log.info({ segment: segment.id, batches: lost.size }, 'repeated batches were dropped')
  }
  return lost.size
}
