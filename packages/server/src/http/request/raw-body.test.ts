import { randomBytes } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MIN_FREED_BYTES } from '../../bytes/free-bytes.ts'
import { bytesOf, takeBytes } from './raw-body.ts'

const MAX_BYTES = 1_000_000

let server: FastifyInstance
let url: string
let received: Buffer[]
let pieces: Buffer[]

beforeEach(async () => {
  received = []
  pieces = []
  server = Fastify()
  takeBytes(server, MAX_BYTES)
  server.post('/', { preParsing: [listen] }, async (incoming) => {
    received.push(bytesOf(incoming))
    return {}
  })
  url = await server.listen({ port: 0, host: '127.0.0.1' })
})
afterEach(() => server.close())

/** Sees the pieces that the reader sees, without taking them. */
async function listen({ raw }: { raw: IncomingMessage }): Promise<undefined> {
  const { emit } = raw
  raw.emit = function (this: typeof raw, event: string, ...args: unknown[]): boolean {
    if (event === 'data') pieces.push(args[0] as Buffer)
    return Reflect.apply(emit, this, [event, ...args])
  } as typeof raw.emit
}

function send(parts: readonly Buffer[], headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0))
    })
    sending.on('error', reject)
    for (const part of parts) sending.write(part)
    sending.end()
  })
}

it('puts a body together from its pieces and frees their memory', async () => {
  const parts = [randomBytes(400_000), randomBytes(1), randomBytes(500_000)]
  const sent = Buffer.concat(parts)
  expect(await send(parts, { 'content-length': String(sent.length) })).toBe(200)
  expect(await send(parts)).toBe(200)
  expect(received.map((body) => body.equals(sent))).toEqual([true, true])
  const large = pieces.filter(({ buffer }) => buffer.byteLength === 0 || buffer.byteLength >= MIN_FREED_BYTES)
  expect(large.length).toBeGreaterThan(0)
  expect(large.filter(({ length }) => length > 0)).toEqual([])
})

it('takes a body of exactly the limit and of nothing', async () => {
  expect(await send([randomBytes(MAX_BYTES)])).toBe(200)
  expect(await send([])).toBe(200)
  expect(received.map(({ length }) => length)).toEqual([MAX_BYTES, 0])
})

it.each([
  ['is said to be', { 'content-length': String(MAX_BYTES + 1) }],
  ['turns out to be', {}],
])('refuses a body that %s too large', async (_, headers) => {
  expect(await send([randomBytes(MAX_BYTES), Buffer.from('x')], headers)).toBe(413)
  expect(received).toEqual([])
})

it('refuses a body that is shorter or longer than it was said to be', async () => {
  for (const length of ['2', '4']) {
    const headers = { 'content-length': length }
    const { statusCode } = await server.inject({ method: 'POST', url: '/', payload: 'abc', headers })
    expect(statusCode).toBe(400)
  }
  expect(received).toEqual([])
})
