/** Bad bodies of log requests meet the same refusal whether usual records are read straight from the bytes or not. */
import { describe, it } from 'vitest'
import { expectSame } from '../../packages/server/src/ingest/testing/both-ways.ts'
import { ENCODINGS } from '../bad-inputs/encodings.ts'
import { LOG_BODIES } from '../bad-inputs/log-bodies.ts'
import { PROTOBUF_BODIES } from '../bad-inputs/protobuf.ts'
import type { Keys } from '../bad-inputs/row.ts'

describe('the fast path and the plain path', () => {
  it.each([...LOG_BODIES, ...ENCODINGS, ...PROTOBUF_BODIES].map((input) => [input.name, input] as const))(
    'do the same with %s',
    (_, input) => {
      const { body = '', headers = {} } = input.send({} as Keys)
      const encoding = headers['content-encoding'] ?? ''
      const types = new Set([headers['content-type'] ?? '', 'application/json', 'application/x-ndjson', ''])
      for (const type of types) expectSame(body, { type, encoding, receivedUs: Date.now() * 1_000 })
    },
  )
})
