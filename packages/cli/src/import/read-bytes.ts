/** The bytes of a file or of standard input, inflated when they are gzip, which is detected by content, not name. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { ClientError } from '../client/client-error.ts'
import { unreadable } from '../client/read-file.ts'
import { damagedFile } from './damaged-file.ts'

export type Source = {
  name: string
  /** Undefined for standard input: how much will come is not known. */
  totalBytes: number | undefined
  /** Of the file as it is on disk, so that progress is right for compressed files too. */
  readBytes(): number
  bytes: AsyncIterable<Buffer>
}

export async function openSource(path: string): Promise<Source> {
  let readBytes = 0
  const totalBytes = path === '-' ? undefined : await sizeOf(path)
  async function* counted(): AsyncGenerator<Buffer> {
    try {
      for await (const chunk of path === '-' ? process.stdin : createReadStream(path)) {
        readBytes += chunk.length
        yield chunk
      }
    } catch (error) {
      throw unreadable(path, error)
    }
  }
  return {
    name: path === '-' ? 'standard input' : path,
    totalBytes,
    readBytes: () => readBytes,
    bytes: inflated(counted(), path),
  }
}

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    const stats = await stat(path)
    if (stats.isDirectory()) throw new ClientError('invalid_request', `${path} is a folder: name the files in it.`)
    // A pipe has no size.
    return stats.isFile() ? stats.size : undefined
  } catch (error) {
    throw error instanceof ClientError ? error : unreadable(path, error)
  }
}

async function* inflated(chunks: AsyncGenerator<Buffer>, path: string): AsyncGenerator<Buffer> {
  const first = await firstBytes(chunks)
  const all = Readable.from(joined(first, chunks), { objectMode: false })
  if (first[0] !== 0x1f || first[1] !== 0x8b) {
    yield* all
    return
  }
  const gunzip = createGunzip()
  all.once('error', (error) => gunzip.destroy(error))
  try {
    yield* all.pipe(gunzip)
  } catch (error) {
    if (error instanceof ClientError) throw error
    throw damagedFile(`${path} is not complete gzip.`, error)
  }
}

/** Two, unless there are fewer. */
async function firstBytes(chunks: AsyncGenerator<Buffer>): Promise<Buffer> {
  let first = Buffer.alloc(0)
  while (first.length < 2) {
    const { value, done } = await chunks.next()
    if (done) break
    first = Buffer.concat([first, value])
  }
  return first
}

async function* joined(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  if (first.length > 0) yield first
  yield* rest
}
