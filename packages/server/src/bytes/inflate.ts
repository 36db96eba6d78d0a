import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { AppError } from '../errors.ts'
import { MAX_INFLATED_BYTES, MAX_INFLATION_RATIO, RATIO_CHECK_ABOVE_BYTES } from './limits.ts'

type Most = { bytes: number; tooLarge: (cause?: unknown) => AppError }

/** The body without its `Content-Encoding`. Never allocates more than the most, whatever the sender claims. */
export function inflate(body: Uint8Array, contentEncoding: string, most: Most = OF_A_BATCH): Uint8Array {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') {
    if (body.length > most.bytes) throw most.tooLarge()
    return body
  }
  const decompress = DECOMPRESSORS.get(encoding)
  if (decompress === undefined) {
    throw new AppError(
      'unsupported_media_type',
      `The Content-Encoding "${encoding.slice(0, 40)}" is not understood. Send exactly one of gzip, deflate, br or identity.`,
    )
  }
  const inflated = guarded(() => decompress(body, { maxOutputLength: most.bytes }), encoding, most)
  if (inflated.length > RATIO_CHECK_ABOVE_BYTES && inflated.length > body.length * MAX_INFLATION_RATIO) {
    throw new AppError(
      'body_too_large',
      `The body inflates to more than ${MAX_INFLATION_RATIO} times its size. Send smaller or less repetitive batches.`,
    )
  }
  return inflated
}

const DECOMPRESSORS = new Map<string, (body: Uint8Array, options: { maxOutputLength: number }) => Uint8Array>([
  ['gzip', gunzipSync],
  ['x-gzip', gunzipSync],
  // HTTP's "deflate" is the zlib format, but clients have sent the raw form under that name for decades.
  ['deflate', (body, options) => (hasZlibHeader(body) ? inflateSync : inflateRawSync)(body, options)],
  ['br', brotliDecompressSync],
])

function hasZlibHeader(body: Uint8Array): boolean {
  const first = body[0] ?? 0
  return (first & 0x0f) === 8 && ((first << 8) | (body[1] ?? 0)) % 31 === 0
}

function guarded(decompress: () => Uint8Array, encoding: string, { tooLarge }: Most): Uint8Array {
  try {
    return decompress()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(cause)
    throw new AppError(
      'invalid_request',
      `The body is not valid ${encoding} data. Compress it again or send it without a Content-Encoding.`,
      { cause },
    )
  }
}

export function bodyTooLarge(cause?: unknown): AppError {
  const limit = sizeWords(MAX_INFLATED_BYTES)
  return new AppError('body_too_large', `The body holds more than ${limit} after inflation. Send smaller batches.`, {
    cause,
  })
}

const OF_A_BATCH: Most = { bytes: MAX_INFLATED_BYTES, tooLarge: bodyTooLarge }
