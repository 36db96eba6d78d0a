/**
 * Snappy's block format, written by hand: the declared length comes first and bounds everything, and no copy reaches
 * before the beginning or past the end. The framing format, which files use, is not what senders of logs use.
 */

import { bodyTooLarge } from '../../bytes/inflate.ts'
import { MAX_INFLATED_BYTES } from '../../bytes/limits.ts'
import { AppError } from '../../errors.ts'

/** No three bytes can stand for more than 64, so what declares much more is refused before anything is allocated. */
const MAX_GROWTH = 32

export function unsnappy(body: Uint8Array): Uint8Array {
  let at = 0
  let length = 0
  for (let shift = 0; ; shift += 7) {
    const byte = body[at++]
    if (byte === undefined || shift > 28) throw malformed()
    length += (byte & 0x7f) * 2 ** shift
    if (byte < 0x80) break
  }
  if (length > MAX_INFLATED_BYTES) throw bodyTooLarge()
  if (length > body.length * MAX_GROWTH) throw malformed()
  const output = new Uint8Array(length)
  let written = 0
  while (at < body.length) {
    const tag = body[at++]!
    if ((tag & 3) === LITERAL) {
      let size = tag >>> 2
      const sizeBytes = size < 60 ? 0 : size - 59
      if (sizeBytes > 0) size = littleEndian(body, at, sizeBytes)
      size++
      at += sizeBytes
      if (size > body.length - at || size > length - written) throw malformed()
      output.set(body.subarray(at, at + size), written)
      at += size
      written += size
      continue
    }
    const offsetBytes = (tag & 3) === COPY_NEAR ? 1 : (tag & 3) === COPY_FAR ? 2 : 4
    const size = offsetBytes === 1 ? ((tag >>> 2) & 7) + 4 : (tag >>> 2) + 1
    const offset = littleEndian(body, at, offsetBytes) + (offsetBytes === 1 ? (tag >>> 5) * 256 : 0)
    at += offsetBytes
    if (offset === 0 || offset > written || size > length - written) throw malformed()
    // Byte by byte where a copy reads what it writes itself: that is how a run is encoded.
    if (offset >= size) output.copyWithin(written, written - offset, written - offset + size)
    else for (let index = 0; index < size; index++) output[written + index] = output[written + index - offset]!
    written += size
  }
  if (written !== length) throw malformed()
  return output
}

const LITERAL = 0
const COPY_NEAR = 1
const COPY_FAR = 2

function littleEndian(body: Uint8Array, at: number, bytes: number): number {
  if (at + bytes > body.length) throw malformed()
  let value = 0
  for (let index = 0; index < bytes; index++) value += body[at + index]! * 2 ** (8 * index)
  return value
}

function malformed(): AppError {
  return new AppError('invalid_request', 'The body is not valid snappy data (block format). Compress it again.')
}
