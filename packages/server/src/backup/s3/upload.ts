/** One object from a staged file: at once, or a large one in parts. It is there whole or not at all. */
import { type Bucket, causeOf } from './bucket.ts'
import { textBody } from './signed-request.ts'
import type { StagedFile } from './staged-file.ts'
import { escaped } from './xml.ts'

/** S3 takes up to 5 GiB at once; in parts, less has to be repeated when a connection is lost. */
const PART_BYTES = 64 * 1024 * 1024
const MAX_PARTS = 10_000

export async function upload(bucket: Bucket, key: string, staged: StagedFile, partBytes = PART_BYTES): Promise<void> {
  if (staged.bytes <= partBytes) await bucket.put(key, staged.body())
  else await uploadInParts(bucket, key, staged, Math.max(partBytes, Math.ceil(staged.bytes / MAX_PARTS)))
}

async function uploadInParts(bucket: Bucket, key: string, staged: StagedFile, partBytes: number): Promise<void> {
  const uploadId = await bucket.beginUpload(key)
  try {
    const tags: string[] = []
    for (let from = 0; from < staged.bytes; from += partBytes) {
      const part = await staged.slice(from, Math.min(staged.bytes, from + partBytes))
      tags.push(await bucket.putPart(key, uploadId, tags.length + 1, part))
    }
    await bucket.endUpload(key, uploadId, textBody(partList(tags)))
  } catch (error) {
    // The answer to the end of an upload may be lost, and then nothing is known of it any more.
    if (causeOf(error)?.code === 'NoSuchUpload' && (await bucket.sizeOf(key)) === staged.bytes) return
    // Its parts would be kept, and paid for, until somebody ends it. The first error is the one to tell.
    await bucket.abortUpload(key, uploadId).catch(() => {})
    throw error
  }
}

function partList(tags: readonly string[]): string {
  const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escaped(tag)}</ETag></Part>`)
  return `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`
}
