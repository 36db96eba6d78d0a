/** Segment files on disk: their names, what is intact in them after a crash, and copies without some frames. */
import { type FileHandle, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../errors.ts'
import { FRAME_VERSION, type Frame, findFrame, HEAD_BYTES, readFrame, versionOf } from './frame.ts'

type SegmentScan = {
  frames: Frame[]
  /** Where the whole frames end. What follows was never acknowledged, or is damaged. */
  goodBytes: number
  fileBytes: number
  /** True when whole frames follow the damage: acknowledged records may have been lost. */
  isDamaged: boolean
}

const SUFFIX = '.seg'
/** Of a copy that is about to replace its segment. */
const COPY_SUFFIX = '.kept'

export function segmentPath(folder: string, id: string): string {
  return join(folder, `${id}${SUFFIX}`)
}

/** Ids of the segments in a folder, oldest first (their ids begin with the time they were made). */
export async function listSegments(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => name.endsWith(SUFFIX))
    .map((name) => name.slice(0, -SUFFIX.length))
    .sort()
}

/** Copies that a kill left unfinished. Their segments are as they were. */
export async function removeCopies(folder: string): Promise<void> {
  const copies = (await readdir(folder)).filter((name) => name.endsWith(`${SUFFIX}${COPY_SUFFIX}`))
  for (const name of copies) await rm(join(folder, name), { force: true })
}

/** A later version's segments would be taken for damaged ones here, and cut back to nothing: they stay as they are. */
export async function refuseNewerSegments(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const head = Buffer.alloc(HEAD_BYTES)
    await withFile(segmentPath(folder, id), 'r', (file) => file.read(head, 0, HEAD_BYTES, 0))
    const version = versionOf(head)
    if (version === null || version <= FRAME_VERSION) continue
    throw new AppError(
      'conflict',
      `The spool has records of a newer Tidemark (${segmentPath(folder, id)} has format ${version}, and this build knows formats up to ${FRAME_VERSION}). Start that version or a later one: it loads them.`,
    )
  }
}

export async function scanSegment(path: string): Promise<SegmentScan> {
  const content = await readFile(path)
  const frames: Frame[] = []
  let at = 0
  for (let frame = readFrame(content, at); frame !== null; frame = readFrame(content, at)) {
    frames.push(frame)
    at = frame.end
  }
  const isDamaged = at < content.length && findFrame(content, at + 1) !== -1
  return { frames, goodBytes: at, fileBytes: content.length, isDamaged }
}

/** Cuts a segment back to its whole frames. A damaged rest is moved to `quarantine`, never deleted. */
export async function cutSegment(
  path: string,
  { goodBytes, isDamaged }: SegmentScan,
  quarantine: string,
): Promise<void> {
  if (isDamaged) {
    const rest = (await readFile(path)).subarray(goodBytes)
    await writeDurably(quarantine, [rest])
  }
  await withFile(path, 'r+', async (file) => {
    await file.truncate(goodBytes)
    await file.sync()
  })
}

/**
 * Replaces a segment with a copy that holds only `kept`, in one step: a crash leaves the old one or the new one.
 * Returns the frames at their new places.
 */
export async function keepFrames(path: string, kept: readonly Frame[]): Promise<Frame[]> {
  const content = await readFile(path)
  await replaceSegment(
    path,
    kept.map(({ start, end }) => content.subarray(start, end)),
  )
  let at = 0
  return kept.map(({ meta, start, end }) => {
    const moved = { meta, start: at, end: at + end - start }
    at = moved.end
    return moved
  })
}

export function readSegment(path: string): Promise<Buffer> {
  return readFile(path)
}

/** In one step: a crash leaves the old content or the new one, and so does a failure, which leaves no copy behind. */
export async function replaceSegment(path: string, parts: Buffer[]): Promise<void> {
  const copy = `${path}${COPY_SUFFIX}`
  try {
    await writeDurably(copy, parts)
    await rename(copy, path)
  } catch (error) {
    await rm(copy, { force: true }).catch(() => {})
    throw error
  }
}

/** Makes the names in a folder durable: without it a power cut can take a new file away again. */
export async function syncFolder(folder: string): Promise<void> {
  await withFile(folder, 'r', (handle) => handle.sync())
}

async function writeDurably(path: string, parts: Uint8Array[]): Promise<void> {
  await withFile(path, 'w', async (file) => {
    for (const part of parts) await file.writeFile(part)
    await file.sync()
  })
}

async function withFile(path: string, flags: string, work: (file: FileHandle) => Promise<unknown>): Promise<void> {
  const file = await open(path, flags, 0o600)
  try {
    await work(file)
  } finally {
    await file.close()
  }
}
