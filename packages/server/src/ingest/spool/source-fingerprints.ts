/**
 * Errors of bundles are grouped by where they are in the sources. That needs source maps, which no sender waits for: rows
 * are written with the fingerprint of the stack as it came, and those that a map applies to get another one here, after
 * they were acknowledged and before they are loaded. The file is replaced in one step, with its checksums, so a crash
 * leaves the old rows or the new ones.
 */
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import { errorsIn } from '../../logstore/schema/read-errors.ts'
import type { SourceStacks, StackReader } from '../../model/source-stacks.ts'
import { type Frame, resealFrame } from './frame.ts'
import { readSegment, replaceSegment } from './segment-file.ts'

/** Says how many errors got another fingerprint. */
export async function writeSourceFingerprints(
  sources: SourceStacks,
  { path, frames }: { path: string; frames: readonly Frame[] },
): Promise<number> {
  const withErrors = frames.filter(({ meta }) => meta.errors !== 0)
  const reader = await sources.among(withErrors.map(({ meta }) => meta.projectId))
  if (reader === null) return 0
  const segment = await readSegment(path)
  let changed = 0
  for (const frame of withErrors) {
    changed += await changeFrame(segment.subarray(frame.start, frame.end), frame, reader)
  }
  if (changed > 0) await replaceSegment(path, [segment])
  return changed
}

/** In place: no row changes its length. */
async function changeFrame(bytes: Buffer, { meta }: Frame, reader: StackReader): Promise<number> {
  const { projectId } = meta
  let changed = 0
  for (const error of errorsIn(bytes, (release) => reader.covers(projectId, release))) {
    const sourceStack = await reader.sourceStack(projectId, error)
    if (sourceStack === null) continue
    const fingerprint = fingerprintId({ ...error, sourceStack })
    if (fingerprint === null) continue
    bytes.writeUInt32LE(fingerprint.lo >>> 0, error.fingerprintAt)
    bytes.writeUInt32LE(fingerprint.hi >>> 0, error.fingerprintAt + 4)
    changed++
  }
  if (changed > 0) resealFrame(bytes)
  return changed
}
