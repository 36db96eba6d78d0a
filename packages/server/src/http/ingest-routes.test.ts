import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import { MAX_SENT_BYTES } from '../ingest/limits.ts'
import { silentServer } from '../testing/http-server.ts'
import { readCaller } from '../testing/reading-rows.ts'
import { ingestRoutes } from './ingest-routes.ts'
import type { HttpServer } from './server.ts'

const PROTOBUF = 'application/x-protobuf'
let server: HttpServer
let discarded: number[]

const accept = {
  requireKey: async ({ authorization }) => {
    if (authorization === 'Bearer good') return readCaller()
    throw new AppError('unauthorized', 'This needs a valid key.')
  },
  discard: (_caller, bytes) => {
    discarded.push(bytes)
    if (bytes === 429) throw new AppError('rate_limited', 'Too fast.', { retryAfterSeconds: 2 })
  },
} satisfies Partial<Accept>

beforeEach(() => {
  discarded = []
  server = silentServer()
  ingestRoutes(server.routes, { accept: accept as unknown as Accept })
})
afterEach(() => server.routes.close())

describe.each(['/v1/traces', '/v1/metrics'])('%s', (url) => {
  const send = (type: string, payload: Buffer | string, headers: Record<string, string> = {}) =>
    server.routes.inject({
      method: 'POST',
      url,
      headers: { host: 'localhost', authorization: 'Bearer good', 'content-type': type, ...headers },
      payload,
    })

  it('answers an empty success in the form of the request, without reading the body', async () => {
    const protobuf = await send(PROTOBUF, Buffer.from([0xff, 0xff]), { 'content-encoding': 'gzip' })
    expect([protobuf.statusCode, protobuf.headers['content-type'], protobuf.rawPayload.length]).toEqual([
      200,
      PROTOBUF,
      0,
    ])
    const json = await send('application/json', 'not JSON')
    expect([json.statusCode, json.json()]).toEqual([200, {}])
    expect(discarded).toEqual([2, 8])
  })

  it('refuses a wrong key, and a body that is too large', async () => {
    const refused = await send(PROTOBUF, '', { authorization: 'Bearer wrong' })
    expect([refused.statusCode, refused.headers['content-type']]).toEqual([401, PROTOBUF])
    expect((await send('application/json', '{}', { authorization: '' })).json().error.code).toBe('unauthorized')
    expect((await send(PROTOBUF, Buffer.alloc(MAX_SENT_BYTES + 1))).statusCode).toBe(413)
    expect(discarded).toEqual([])
  })

  it('is bound by the rate of the key', async () => {
    const { statusCode, headers } = await send(PROTOBUF, Buffer.alloc(429))
    expect([statusCode, headers['retry-after']]).toEqual([429, '2'])
  })

  it('may be called by a page of any site', async () => {
    expect((await send('application/json', '{}')).headers['access-control-allow-origin']).toBe('*')
  })
})
