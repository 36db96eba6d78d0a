/** The bytes of a backup's files: compressed, written durably with their checksum, and compared with it. */
import { createHash } from 'node:crypto'
import { chmod, copyFile, type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { AppError } from '../errors.ts'
import type { StoredFile } from './manifest.ts'
import type { Chunks } from './place.ts'

/** Columns of like values shrink well at the lowest level already, and a busy machine has other things to do. */
const GZIP_LEVEL = 1

export type Content = Pick<StoredFile, 'bytes' | 'sha256'>

export function zipped(chunks: AsyncIterable<Uint8Array | string> | Iterable<Uint8Array>): AsyncIterable<Buffer> {
  // An error of the source ends the compression with it, and so the reading of its result.
  return pipeline(Readable.from(chunks), createGzip({ level: GZIP_LEVEL }), () => {})
}

export async function writeContent(file: FileHandle, chunks: Chunks): Promise<Content> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    for (let at = 0; at < chunk.length; )
      at += (await file.write(chunk, at, chunk.length - at, bytes + at)).bytesWritten
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export async function* readBetween(
  file: FileHandle,
  { from = 0, to, atOnce }: { from?: number; to: number; atOnce: number },
): AsyncIterable<Buffer> {
  for (let at = from; at < to; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(atOnce, to - at)), 0, null, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

export async function readContent(chunks: Chunks): Promise<Content> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of chunks) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

export function isSameContent(one: Content, other: Content): boolean {
  return one.bytes === other.bytes && one.sha256 === other.sha256
}

export function damaged(address: string, cure: string): AppError {
  return new AppError('invalid_request', `The backup is damaged: ${address} is not what was written. ${cure}`)
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
