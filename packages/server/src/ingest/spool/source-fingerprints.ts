/**
 * Errors of bundles are grouped by where they are in the sources. That needs source maps, which no sender waits for: rows
 * are written with the fingerprint of the stack as it came, and those that a map applies to get another one here, after
 * they were acknowledged and before they are loaded. The file is replaced in one step, with its checksums, so a crash
 * leaves the old rows or the new ones. Requests are served meanwhile: a segment can hold many thousands of errors.
 */
import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import type { Hash64 } from '../../analysis/pattern/hash.ts'
import { AppError, ERROR_CODES } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { type ErrorRow, errorsIn } from '../../logstore/schema/read-errors.ts'
import type { SourceStacks, StackReader } from '../../model/source-stacks.ts'
import { type Frame, readFrame, resealFrame } from './frame.ts'
import { readSegment, replaceSegment } from './segment-file.ts'

/** Others get their turn after so long. */
const TURN_MS = 5
/** Kinds of errors that are remembered at once: floods are of few. When there are more, remembering begins anew. */
const REMEMBERED_KINDS = 10_000

export type MappingParts = {
  sources: SourceStacks
  log: Log
  /** Milliseconds by a clock that nobody sets. */
  elapsed?: () => number
  /** Lets everything else that is ready run first. */
  turn?: () => Promise<unknown>
}
type Segment = { path: string; frames: readonly Frame[] }
type Place = { at: number; fingerprint: Hash64 }
type FingerprintOf = (projectId: string, error: ErrorRow) => Promise<Hash64 | null>

export function isRetryable(error: unknown): boolean {
  return error instanceof AppError && ERROR_CODES[error.code].retryable
}

/** Says how many errors got another fingerprint. Throws where a store is away, or the file can be neither read nor replaced. */
export async function writeSourceFingerprints(parts: MappingParts, { path, frames }: Segment): Promise<number> {
  const withErrors = frames.filter(({ meta }) => meta.errors !== 0)
  const reader = await parts.sources.among(withErrors.map(({ meta }) => meta.projectId))
  const covered = reader === null ? [] : withErrors.filter(({ meta }) => reader.coversProject(meta.projectId))
  if (reader === null || covered.length === 0) return 0
  const segment = await readSegment(path)
  const fingerprintOf = rememberingFingerprints(reader)
  const giveTurn = turns(parts)
  let changed = 0
  for (const { meta, start, end } of covered) {
    // A new seal would make damage look whole.
    if (readFrame(segment, start)?.end !== end) {
      parts.log.warn({ path, frame: meta.number }, 'a frame is not as it was sealed; its errors are grouped as sent')
      continue
    }
    const bytes = segment.subarray(start, end)
    const wanted = (release: string) => reader.covers(meta.projectId, release)
    const places = await placesIn(bytes, wanted, (error) => fingerprintOf(meta.projectId, error), giveTurn).catch(
      (error): Place[] => {
        if (isRetryable(error)) throw error
        parts.log.warn({ err: error, path }, 'stacks could not be read by source maps; they are grouped as sent')
        return []
      },
    )
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

/** Only where the fingerprint becomes another one. */
async function placesIn(
  bytes: Buffer,
  isWanted: (release: string) => boolean,
  fingerprintOf: (error: ErrorRow) => Promise<Hash64 | null>,
  giveTurn: () => Promise<unknown> | undefined,
): Promise<Place[]> {
  const places: Place[] = []
  for (const error of errorsIn(bytes, isWanted)) {
    // Awaited only when there is something to wait for: most rows are passed over in less time than that takes.
    const turn = giveTurn()
    if (turn) await turn
    if (error === null) continue
    const fingerprint = await fingerprintOf(error)
    if (fingerprint === null) continue
    const at = error.fingerprintAt
    const isThere =
      bytes.readUInt32LE(at) === fingerprint.lo >>> 0 && bytes.readUInt32LE(at + 4) === fingerprint.hi >>> 0
    if (!isThere) places.push({ at, fingerprint })
  }
  return places
}

function turns({
  elapsed = () => performance.now(),
  turn = nextTurn,
}: MappingParts): () => Promise<unknown> | undefined {
  let since = elapsed()
  return () => {
    if (elapsed() - since < TURN_MS) return undefined
    return turn().then(() => {
      since = elapsed()
    })
  }
}

/** Equal errors cost a digest each, not a stack that is read. */
function rememberingFingerprints(reader: StackReader): FingerprintOf {
  const remembered = new Map<string, Hash64 | null>()
  return async (projectId, error) => {
    const kind = kindOf(projectId, error)
    const known = remembered.get(kind)
    if (known !== undefined) return known
    const sourceStack = await reader.sourceStack(projectId, error)
    const fingerprint = sourceStack === null ? null : fingerprintId({ ...error, sourceStack })
    if (remembered.size >= REMEMBERED_KINDS) remembered.clear()
    remembered.set(kind, fingerprint)
    return fingerprint
  }
}

/** All that a fingerprint depends on, with the lengths, so that no two kinds read the same. */
function kindOf(projectId: string, { level, service, logger, release, message, error }: ErrorRow): string {
  const { type = '', message: said = '', stack = '' } = error ?? {}
  const texts = [projectId, level, service, logger, release, message, type, said, stack]
  const lengths = texts.map(({ length }) => length).join(' ')
  return createHash('sha256')
    .update(`${lengths}\n${texts.join('')}`)
    .digest('base64')
}
