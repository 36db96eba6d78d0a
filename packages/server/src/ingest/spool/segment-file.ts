/** Segment files on disk: their names, what is intact in them, and copies without some frames. */
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { FRAME_VERSION, type Frame, HEAD_BYTES, versionOf } from './frame.ts'

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

/** Refuses to start with segments of a later version. They would be treated as damaged, so they stay as they are. */
export async function refuseNewerSegments(folder: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const version = versionOf(await readSegment(segmentPath(folder, id), HEAD_BYTES))
    if (version === null || version <= FRAME_VERSION) continue
    throw new AppError(
      'conflict',
      `The spool has records of a newer Tidemark (${segmentPath(folder, id)} has format ${version}, and this build knows formats up to ${FRAME_VERSION}). Start that version or a later one: it loads them.`,
    )
  }
}

/**
 * Saves damaged parts of a segment for inspection and returns the path of the file. The name is derived from the content:
 * a second attempt after a crash writes the same file, and later damage to the same segment another one.
 */
export async function quarantine(path: string, parts: readonly Buffer[]): Promise<string> {
  const checksum = parts.reduce((sum, part) => crc32(part, sum), 0)
  const saved = join(dirname(path), `${basename(path, SUFFIX)}-${checksum.toString(16).padStart(8, '0')}.quarantine`)
  await writeDurably(saved, parts)
  await syncFolder(dirname(path))
  return saved
}

/**
 * Replaces a segment with a copy that holds only the frames `kept` of its content, in one step: a crash leaves the old one or
 * the new one. Returns the frames at their new places.
 */
export async function keepFrames(path: string, content: Buffer, kept: readonly Frame[]): Promise<Frame[]> {
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

/** Reads a segment, or at most its first `limit` bytes. What the disk cannot read is filled in and then found to be damaged. */
export function readSegment(path: string, limit = Number.POSITIVE_INFINITY): Promise<Buffer> {
  return withFile(path, 'r', async (file) => readAround(file, 0, Math.min((await file.stat()).size, limit)))
}

/** Files are read from disks in pieces of this size, so one bad sector costs as much. */
const BLOCK_BYTES = 4_096
/** Not zero: zeros at the end of a segment count as a write that was never finished, and are dropped. */
const UNREADABLE_BYTE = 0xff

/**
 * Reads around bad sectors. Otherwise one of them would fail every attempt to load its segment, and all later segments would
 * wait.
 */
export async function readAround(file: FileHandle, start: number, length: number): Promise<Buffer> {
  const content = Buffer.alloc(length, UNREADABLE_BYTE)
  let at = 0
  const readUpTo = async (end: number) => {
    while (at < end) {
      const { bytesRead } = await file.read(content, at, end - at, start + at)
      if (bytesRead === 0) return
      at += bytesRead
    }
  }
  while (at < length) {
    try {
      await readUpTo(length)
      return content.subarray(0, at)
    } catch (error) {
      if (!isUnreadable(error)) throw error
      const blockEnd = Math.min(length, at + BLOCK_BYTES - ((start + at) % BLOCK_BYTES))
      await readUpTo(blockEnd).catch((cause) => {
        if (!isUnreadable(cause)) throw cause
        at = blockEnd
      })
    }
  }
  return content
}

function isUnreadable(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'EIO'
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

async function writeDurably(path: string, parts: readonly Uint8Array[]): Promise<void> {
  await withFile(path, 'w', async (file) => {
    for (const part of parts) await file.writeFile(part)
    await file.sync()
  })
}

async function withFile<T>(path: string, flags: string, work: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, flags, 0o600)
  try {
    return await work(file)
  } finally {
    await file.close()
  }
}
