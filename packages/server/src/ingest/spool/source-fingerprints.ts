/**
 * Errors of bundles are grouped by where they are in the sources. That needs source maps, which no sender waits for: rows
 * are written with the fingerprint of the stack as it came, and those that a map applies to get another one here, after
 * they were acknowledged and before they are loaded. The file is replaced in one step, with its checksums, so a crash
 * leaves the old rows or the new ones. Requests are served meanwhile: a segment can hold many thousands of errors.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { fingerprintId } from '../../analysis/group/fingerprint.ts'
import type { Hash64 } from '../../analysis/pattern/hash.ts'
import { isRetryable } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { errorsIn, type ReadError } from '../../logstore/schema/read-errors.ts'
import type { SourceStacks, StackReader } from '../../model/source-stacks.ts'
import { type Frame, readFrame, resealFrame } from './frame.ts'
import { readSegment, replaceSegment } from './segment-file.ts'

/** Others get their turn after this long. */
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
/** Its bytes are those of the segment, which stays in memory until its round is over. */
type KnownKind = { projectId: string; kind: readonly Buffer[]; fingerprint: Hash64 | null }
type Round = {
  reader: StackReader
  /** By checksum: equal errors are compared, and only the first is read. */
  known: Map<number, KnownKind>
  giveTurn: () => Promise<unknown> | undefined
}

/** Says how many errors got another fingerprint. Throws where a store is away, or the file can be neither read nor replaced. */
export async function writeSourceFingerprints(parts: MappingParts, { path, frames }: Segment): Promise<number> {
  const { sources, log } = parts
  const withErrors = frames.filter(({ meta }) => meta.errors !== 0)
  const reader = await sources.among(withErrors.map(({ meta }) => meta.projectId))
  const covered = reader === null ? [] : withErrors.filter(({ meta }) => reader.coversProject(meta.projectId))
  if (reader === null || covered.length === 0) return 0
  const segment = await readSegment(path)
  const round: Round = { reader, known: new Map(), giveTurn: turns(parts) }
  let changed = 0
  for (const { meta, start, end } of covered) {
    const bytes = segment.subarray(start, end)
    const places = await placesIn(bytes, meta.projectId, round).catch((error): Place[] => {
      if (isRetryable(error)) throw error
      log.warn({ err: error, path }, 'stacks could not be read by source maps; they are grouped as sent')
      return []
    })
    if (places.length === 0) continue
    // A new seal would make damage look whole.
    if (readFrame(segment, start)?.end !== end) {
      log.warn({ path, frame: meta.number }, 'a frame is not as it was sealed; its errors are grouped as sent')
      continue
    }
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
async function placesIn(bytes: Buffer, projectId: string, { reader, known, giveTurn }: Round): Promise<Place[]> {
  const places: Place[] = []
  for (const row of errorsIn(bytes, (release) => reader.covers(projectId, release))) {
    // Awaited only when there is something to wait for: most rows are passed over in less time than that takes.
    const turn = giveTurn()
    if (turn) await turn
    if (row === null) continue
    const { kind, fingerprintAt: at } = row
    const checksum = kind.reduce((sum, part) => crc32(part, sum), 0)
    let found = known.get(checksum)
    if (found === undefined || !isOf(found, projectId, kind)) {
      found = { projectId, kind, fingerprint: await fingerprintOf(reader, projectId, row.read()) }
      if (known.size >= REMEMBERED_KINDS) known.clear()
      known.set(checksum, found)
    }
    const { fingerprint } = found
    if (fingerprint !== null && !isThere(bytes, at, fingerprint)) places.push({ at, fingerprint })
  }
  return places
}

async function fingerprintOf(reader: StackReader, projectId: string, error: ReadError): Promise<Hash64 | null> {
  const sourceStack = await reader.sourceStack(projectId, error)
  return sourceStack === null ? null : fingerprintId({ ...error, sourceStack })
}

/** Equal checksums are no proof. */
function isOf(known: KnownKind, projectId: string, kind: readonly Buffer[]): boolean {
  return known.projectId === projectId && known.kind.every((part, at) => part.equals(kind[at]!))
}

function isThere(bytes: Buffer, at: number, { hi, lo }: Hash64): boolean {
  return bytes.readUInt32LE(at) === lo >>> 0 && bytes.readUInt32LE(at + 4) === hi >>> 0
}

function turns({ elapsed = () => performance.now(), turn = nextTurn }: MappingParts): Round['giveTurn'] {
  let since = elapsed()
  return () => {
    if (elapsed() - since < TURN_MS) return undefined
    return turn().then(() => {
      since = elapsed()
    })
  }
}
