/** A map from the store, as it is looked up. */
import { promisify } from 'node:util'
import { inflate } from 'node:zlib'
import type { MappedFile } from '../control/sourcemaps/source-maps.ts'
import type { Log } from '../log.ts'
import { type CompactMap, unpackMap } from './compact-map.ts'

type InflateOptions = { maxOutputLength: number; chunkSize: number }

const inflated = promisify<Uint8Array, InflateOptions, Buffer>(inflate)
/** Smaller ones are not taken. */
const LEAST_CHUNK_BYTES = 64

/** Null for damaged content: errors are counted without it. */
export async function loadMap(content: Buffer, file: MappedFile, log: Log): Promise<CompactMap | null> {
  const { loadedBytes } = file
  try {
    // In one piece: by the usual ones of 16 KiB a large map takes several times as long.
    const chunkSize = Math.max(LEAST_CHUNK_BYTES, loadedBytes)
    return unpackMap(memoryOf(await inflated(content, { maxOutputLength: loadedBytes, chunkSize })))
  } catch (error) {
    log.warn({ err: error, file: file.file }, 'a stored source map is damaged and is passed over; upload it again')
    return null
  }
}

/** Its own, of exactly that size, and aligned for numbers: small pieces share theirs with others. */
function memoryOf(bytes: Buffer): ArrayBuffer {
  if (bytes.buffer instanceof ArrayBuffer && bytes.buffer.byteLength === bytes.length) return bytes.buffer
  const memory = new ArrayBuffer(bytes.length)
  new Uint8Array(memory).set(bytes)
  return memory
}
