/** What the door and the threads must know of a protocol before its bytes are read. */
import { SPACE } from '../../bytes/json-bytes.ts'
import { mediaTypeOf } from '../parse/media-type.ts'
import type { Sender } from './sender.ts'

type ProtocolFacts = {
  /** Whether its records may have identities, so that equal bytes are the same batch and not another like it. */
  mayBeNamedByBytes: (body: Buffer, contentEncoding: string) => boolean
  /** Whether messages are so small that each counts as `LEAST_MESSAGE_BYTES`. */
  isOfSmallMessages: boolean
  /** Whether the bytes are compressed whatever the header says: then their size tells nothing of what they inflate to. */
  isAlwaysCompressed: (contentType: string) => boolean
}

const USUAL: ProtocolFacts = {
  mayBeNamedByBytes: () => true,
  isOfSmallMessages: false,
  isAlwaysCompressed: () => false,
}

export const PROTOCOL_FACTS: Record<Sender['protocol'], ProtocolFacts> = {
  // Its protobuf comes in snappy.
  loki: { ...USUAL, isAlwaysCompressed: (contentType) => mediaTypeOf(contentType) !== 'json' },
  datadog: { ...USUAL, mayBeNamedByBytes: () => false },
  syslog: { ...USUAL, mayBeNamedByBytes: () => false, isOfSmallMessages: true },
  journald: { ...USUAL, isOfSmallMessages: true },
  elasticsearch: {
    ...USUAL,
    // Every document needs an id, and the first line says whether the first has one. What is compressed is judged later.
    mayBeNamedByBytes: (body, contentEncoding) => contentEncoding !== '' || firstLineOf(body).includes('"_id"'),
  },
}

/** Blank lines before it are passed over. */
function firstLineOf(body: Buffer): Buffer {
  let start = 0
  while (start < body.length && body[start]! <= SPACE) start++
  const end = body.indexOf('\n', start)
  return body.subarray(start, end === -1 ? body.length : end)
}
