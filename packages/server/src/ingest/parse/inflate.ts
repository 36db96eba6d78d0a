import { brotliDecompressSync, gunzipSync, inflateRawSync, inflateSync } from 'node:zlib'
import { AppError } from '../../errors.ts'
import { MAX_INFLATED_BYTES, MAX_INFLATION_RATIO, RATIO_CHECK_ABOVE_BYTES } from '../limits.ts'

/** The body without its `Content-Encoding`. Never allocates past `MAX_INFLATED_BYTES`, whatever the sender claims. */
export function inflate(body: Uint8Array, contentEncoding: string): Uint8Array {
  const encoding = contentEncoding.trim().toLowerCase()
  if (encoding === '' || encoding === 'identity') {
    if (body.length > MAX_INFLATED_BYTES) throw bodyTooLarge()
    return body
  }
  const decompress = DECOMPRESSORS.get(encoding)
  if (decompress === undefined) {
    throw new AppError(
      'unsupported_media_type',
      `The Content-Encoding "${encoding.slice(0, 40)}" is not understood. Send exactly one of gzip, deflate, br or identity.`,
    )
  }
  const inflated = guarded(() => decompress(body), encoding)
  if (inflated.length > RATIO_CHECK_ABOVE_BYTES && inflated.length > body.length * MAX_INFLATION_RATIO) {
    throw new AppError(
      'body_too_large',
      `The body inflates to more than ${MAX_INFLATION_RATIO} times its size. Send smaller or less repetitive batches.`,
    )
  }
  return inflated
}

const OPTIONS = { maxOutputLength: MAX_INFLATED_BYTES }

const DECOMPRESSORS = new Map<string, (body: Uint8Array) => Uint8Array>([
  ['gzip', (body) => gunzipSync(body, OPTIONS)],
  ['x-gzip', (body) => gunzipSync(body, OPTIONS)],
  // HTTP's "deflate" is the zlib format, but clients have sent the raw form under that name for decades.
  ['deflate', (body) => (hasZlibHeader(body) ? inflateSync(body, OPTIONS) : inflateRawSync(body, OPTIONS))],
  ['br', (body) => brotliDecompressSync(body, OPTIONS)],
])

function hasZlibHeader(body: Uint8Array): boolean {
  const first = body[0] ?? 0
  return (first & 0x0f) === 8 && ((first << 8) | (body[1] ?? 0)) % 31 === 0
}

function guarded(decompress: () => Uint8Array, encoding: string): Uint8Array {
  try {
    return decompress()
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLarge(cause)
    throw new AppError(
      'invalid_request',
      `The body is not valid ${encoding} data. Compress it again or send it without a Content-Encoding.`,
      { cause },
    )
  }
}

export function bodyTooLarge(cause?: unknown): AppError {
  const limit = `${MAX_INFLATED_BYTES / 1024 / 1024} MiB`
  return new AppError('body_too_large', `The body holds more than ${limit} after inflation. Send smaller batches.`, {
    cause,
  })
}
