/** The files of a backup: written durably with their checksum, taken over from an earlier one, and checked. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, copyFile, type FileHandle, link, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { AppError } from '../errors.ts'
import type { StoredFile } from './manifest.ts'

/** Columns of like values shrink well at the lowest level already, and a busy machine has other things to do. */
const GZIP_LEVEL = 1

export function zipped(chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>): AsyncIterable<Buffer> {
  // An error of the source ends the compression with it, and so the reading of its result.
  return pipeline(Readable.from(chunks), createGzip({ level: GZIP_LEVEL }), () => {})
}

/** Resolves when the file is on disk. */
export async function writeStored(
  folder: string,
  name: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<StoredFile> {
  const path = join(folder, name)
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const hash = createHash('sha256')
  let bytes = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      await writeAll(file, chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { name, bytes, sha256: hash.digest('hex') }
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.length; ) at += (await file.write(chunk, at)).bytesWritten
}

/**
 * The same bytes on the disk once, where the file system allows; else copies. Says whether all of them could be had: what
 * was damaged or deleted in the earlier backup is written anew.
 */
export async function takeOver(from: string, to: string, files: readonly StoredFile[]): Promise<boolean> {
  for (const file of files) if (!(await isStored(from, file))) return false
  for (const { name } of files) {
    await mkdir(dirname(join(to, name)), { recursive: true, mode: 0o700 })
    try {
      await link(join(from, name), join(to, name))
    } catch {
      await copyFile(join(from, name), join(to, name))
      await syncPath(join(to, name))
    }
  }
  return true
}

/** Throws unless the file is there, whole and unchanged. */
export async function checkStored(folder: string, file: StoredFile): Promise<void> {
  if (await isStored(folder, file)) return
  throw new AppError(
    'invalid_request',
    `The backup is damaged: ${join(folder, file.name)} is not what was written. Use another backup; the next one will not take this file over.`,
  )
}

async function isStored(folder: string, { name, bytes, sha256 }: StoredFile): Promise<boolean> {
  const hash = createHash('sha256')
  let read = 0
  try {
    for await (const chunk of createReadStream(join(folder, name)) as AsyncIterable<Buffer>) {
      hash.update(chunk)
      read += chunk.length
    }
  } catch {
    return false
  }
  return read === bytes && hash.digest('hex') === sha256
}

/** A copy that only its owner can read, whatever became of the modes in the backup. */
export async function copyPrivately(from: string, to: string): Promise<void> {
  await copyFile(from, to)
  await chmod(to, 0o600)
  await syncPath(to)
}

/** Makes the names in a folder durable as well. */
export async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
