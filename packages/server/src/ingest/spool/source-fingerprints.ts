/**
 * Errors of bundles are grouped by where they are in the sources. That needs source maps, which no sender waits for: rows
 * are written with the fingerprint of the stack as it came, and those that a map applies to get another one here, after
 * they were acknowledged and before they are loaded. The file is replaced in one step, with its checksums, so a crash
 * leaves the old rows or the new ones.
 */
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import type { Hash64 } from '../../analysis/pattern/hash.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { errorsIn } from '../../logstore/schema/read-errors.ts'
import type { SourceStacks, StackReader } from '../../model/source-stacks.ts'
import { type Frame, resealFrame } from './frame.ts'
import { readSegment, replaceSegment } from './segment-file.ts'

type Segment = { path: string; frames: readonly Frame[] }
type Place = { at: number; fingerprint: Hash64 }

/** Says how many errors got another fingerprint. */
export async function writeSourceFingerprints(
  { sources, log }: { sources: SourceStacks; log: Log },
  { path, frames }: Segment,
): Promise<number> {
  const withErrors = frames.filter(({ meta }) => meta.errors !== 0)
  const reader = await sources.among(withErrors.map(({ meta }) => meta.projectId))
  if (reader === null) return 0
  const segment = await readSegment(path)
  let changed = 0
  for (const { meta, start, end } of withErrors) {
    const bytes = segment.subarray(start, end)
    const places = await placesIn(bytes, meta.projectId, reader).catch((error): Place[] => {
      // A store that is away is asked again. Anything else is our bug, and must not keep records from being loaded.
      if (error instanceof AppError) throw error
      log.error({ err: error, path }, 'stacks could not be read by source maps; they are grouped as they were sent')
      return []
    })
    if (places.length === 0) continue
    for (const { at, fingerprint } of places) {
      bytes.writeUInt32LE(fingerprint.lo >>> 0, at)
      bytes.writeUInt32LE(fingerprint.hi >>> 0, at + 4)
    }
    resealFrame(bytes)
    changed += places.length
  }
  if (changed > 0) await replaceSegment(path, [segment])
  return changed
}

async function placesIn(bytes: Buffer, projectId: string, reader: StackReader): Promise<Place[]> {
  const places: Place[] = []
  for (const error of errorsIn(bytes, (release) => reader.covers(projectId, release))) {
    const sourceStack = await reader.sourceStack(projectId, error)
    const fingerprint = sourceStack === null ? null : fingerprintId({ ...error, sourceStack })
    if (fingerprint !== null) places.push({ at: error.fingerprintAt, fingerprint })
  }
  return places
}
