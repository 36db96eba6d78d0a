/**
 * What is on its way to a bucket. Its checksum must be known before it is sent, because that is its name there, and it may
 * have to be sent twice. The file has no name on the disk: it is gone with the process, however that ends.
 */
import { createHash, randomUUID } from 'node:crypto'
import { open, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type Content, readBetween, writeContent } from '../file-content.ts'
import type { Chunks } from '../place.ts'
import type { SentBody } from './signed-request.ts'

const READ_BYTES = 256 * 1024

export type StagedFile = Content & {
  /** Of the whole file. */
  body(): SentBody
  /** Of a part of it. */
  slice(from: number, to: number): Promise<SentBody>
}

export async function withStaged<Result>(
  folder: string,
  chunks: Chunks,
  work: (staged: StagedFile) => Promise<Result>,
): Promise<Result> {
  const path = join(folder, `.staged-${randomUUID()}`)
  const file = await open(path, 'wx+', 0o600)
  try {
    await unlink(path)
    const content = await writeContent(file, chunks)
    const read = (from: number, to: number) => readBetween(file, { from, to, atOnce: READ_BYTES })
    return await work({
      ...content,
      body: () => ({ ...content, chunks: () => read(0, content.bytes) }),
      async slice(from, to) {
        const hash = createHash('sha256')
        for await (const chunk of read(from, to)) hash.update(chunk)
        return { bytes: to - from, sha256: hash.digest('hex'), chunks: () => read(from, to) }
      },
    })
  } finally {
    await file.close()
  }
}
