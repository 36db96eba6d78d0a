/** A thread that reads one source map and ends: whatever a hostile one takes is given back with it. */

import { createHash } from 'node:crypto'
import { parentPort, workerData } from 'node:worker_threads'
import { deflateSync } from 'node:zlib'
import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { inflate } from '../bytes/inflate.ts'
import { AppError } from '../errors.ts'
import type { ReadAnswer, ReadTask } from './read-in-thread.ts'
import { readMap } from './read-map.ts'

parentPort?.postMessage(answer(workerData as ReadTask))

function answer({ body, contentEncoding }: ReadTask): ReadAnswer {
  try {
    const bytes = inflate(body, contentEncoding, { bytes: MAX_SOURCE_MAP_BYTES, tooLarge })
    const { packed, sources, mappings } = readMap(bytes)
    const digest = createHash('sha256').update(bytes).digest('hex')
    return { digest, compressed: deflateSync(packed), loadedBytes: packed.length, sources, mappings }
  } catch (error) {
    // Errors lose their class between threads.
    if (error instanceof AppError) return { code: error.code, message: error.message }
    return { bug: String((error as Error).stack ?? error) }
  }
}

function tooLarge(): AppError {
  return new AppError(
    'body_too_large',
    `A source map has at most ${sizeWords(MAX_SOURCE_MAP_BYTES)}. Build it without \`sourcesContent\`, which is not needed here, or split the bundle.`,
  )
}
