/** What only a connection shows: which bytes come back, before and after which bytes were sent. A real server, no stores. */
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import { createMcpEndpoint } from '../mcp/endpoint.ts'
import { converse, sendRaw } from '../testing/raw-http.ts'
import { fakeReading } from '../testing/reading.ts'
import { readCaller } from '../testing/reading-rows.ts'
import { apiRoutes } from './api-routes.ts'
import { deployRoutes } from './deploy-routes.ts'
import { healthRoutes } from './health-routes.ts'
import { ingestRoutes } from './ingest-routes.ts'
import { mcpRoute } from './mcp-route.ts'
import { createMetrics } from './metrics.ts'
import { createHttpServer, type HttpServer } from './server.ts'

const MIB = 1024 * 1024
const told: string[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void told.push(line) })
const batches: number[] = []
let server: HttpServer
let port: number

function refuse(): never {
  throw new AppError('unauthorized', 'This needs a valid key.')
}

const accept: Accept = {
  stats: { batches: 0, records: 0, rejected: 0, bytes: 0 },
  authenticate: async ({ authorization }) => {
    if (authorization === undefined) return undefined
    return authorization === 'Bearer good' ? readCaller() : refuse()
  },
  requireKey: async ({ authorization }) => (authorization === 'Bearer good' ? readCaller() : refuse()),
  holderOf: async () => readCaller(),
  owe: () => {},
  discard: () => {},
  noteTooLarge: () => {},
  checkDebt: () => {},
  batch: async (caller, _headers, body) => {
    if (!caller) refuse()
    batches.push(body.length)
    return { protocol: 'json', total: 1, accepted: 1, rejected: [] }
  },
}

function open(publicUrl = 'http://localhost:4700'): HttpServer {
  const opened = createHttpServer({ log, publicUrl, urls: [], allowedHosts: [] })
  const { routes } = opened
  const authenticate = async (header: string | undefined) => (header === 'Bearer good' ? readCaller() : refuse())
  const reading = fakeReading()
  ingestRoutes(routes, { accept })
  deployRoutes(routes, { recordDeploy: async () => refuse() })
  apiRoutes(routes, { reading, authenticate })
  mcpRoute(routes, {
    handle: createMcpEndpoint({ reading, authenticate, publicUrl, version: '1', log }),
  })
  healthRoutes(routes, {
    checks: [],
    metrics: createMetrics(),
    metricsToken: undefined,
    boundHost: '127.0.0.1',
    log,
    isStopping: () => false,
  })
  return opened
}

beforeAll(async () => {
  server = open()
  port = await server.listen('127.0.0.1', 0)
})
afterAll(() => server.stop())

const lines = (...head: string[]) => `${head.join('\r\n')}\r\n\r\n`
const post = (path: string, ...head: string[]) =>
  lines(`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...head)
const GOOD = 'Authorization: Bearer good'
const WRONG = 'Authorization: Bearer wrong'
const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

describe('a sender that asks before it sends its body', () => {
  const ask = 'Expect: 100-continue'

  it.each([
    ['/v1/logs with a wrong key', () => post('/v1/logs', WRONG, ask, 'Content-Length: 20'), 401],
    ['/v1/logs with too large a body', () => post('/v1/logs', GOOD, ask, `Content-Length: ${21 * MIB}`), 413],
    ['/v1/deploys with too large a body', () => post('/v1/deploys', ask, `Content-Length: ${MIB}`), 413],
    ['/mcp with a wrong key', () => post('/mcp', WRONG, ask, 'Content-Length: 20'), 401],
    ['/mcp with too large a body', () => post('/mcp', GOOD, ask, `Content-Length: ${MIB}`), 413],
    ['/mcp with two keys', () => post('/mcp', GOOD, WRONG, ask, 'Content-Length: 20'), 400],
    [
      'a type that is not taken',
      () => lines('POST /v1/deploys HTTP/1.1', 'Host: localhost', 'Content-Type: text/plain', ask, 'Content-Length: 9'),
      415,
    ],
  ])('at %s gets the final answer at once, and the connection ends', async (_, head, status) => {
    const talk = await converse(port)
    await talk.write(head())
    const text = await talk.ended
    expect(statusesIn(text)).toEqual([status])
    expect(text).toMatch(/^connection: close\r$/im)
    talk.close()
    expect(await talk.closed).toBeUndefined()
  })

  it('is told to go on when all is well so far', async () => {
    const talk = await converse(port)
    await talk.write(post('/v1/logs', GOOD, ask, 'Content-Length: 2', 'Connection: close'))
    expect(statusesIn(await talk.until(/\r\n\r\n/))).toEqual([100])
    await talk.write('[]')
    expect(statusesIn(await talk.ended)).toEqual([100, 200])
    talk.close()
  })

  it('and sends it anyway does not have it taken for another request', async () => {
    const talk = await converse(port)
    const hidden = lines('GET /healthz HTTP/1.1', 'Host: localhost')
    await talk.write(post('/v1/logs', WRONG, ask, `Content-Length: ${hidden.length}`))
    await talk.until(/ 401 /)
    await talk.write(hidden + hidden)
    talk.close()
    expect(statusesIn(await talk.ended)).toEqual([401])
  })
})

describe('a body that is declared larger than the door takes', () => {
  it('is refused before a byte of it has come', async () => {
    const talk = await converse(port)
    await talk.write(post('/v1/logs', GOOD, `Content-Length: ${21 * MIB}`))
    expect(statusesIn(await talk.ended)).toEqual([413])
    talk.close()
    expect(await talk.closed).toBeUndefined()
  })

  it.each([
    ['with its length', () => post('/v1/logs', GOOD, `Content-Length: ${24 * MIB}`), (part: Buffer) => [part]],
    [
      'in chunks',
      () => post('/v1/logs', GOOD, 'Transfer-Encoding: chunked'),
      (part: Buffer) => [`${part.length.toString(16)}\r\n`, part, '\r\n'],
    ],
    ['under a wrong key', () => post('/v1/logs', WRONG, `Content-Length: ${24 * MIB}`), (part: Buffer) => [part]],
  ])('and is sent to its end %s is read to its end, so that the sender sees the answer', async (_, head, wrap) => {
    const talk = await converse(port)
    const part = Buffer.alloc(MIB, ' ')
    await talk.write(head())
    for (let sent = 0; sent < 24; sent++) for (const piece of wrap(part)) await talk.write(piece)
    talk.close()
    expect(await talk.closed).toBeUndefined()
    expect(statusesIn(await talk.ended)).toEqual([head().includes(WRONG) ? 401 : 413])
    expect(batches).not.toContain(24 * MIB)
  })

  it('does not hold up a stop', async () => {
    const other = open()
    const talk = await converse(await other.listen('127.0.0.1', 0))
    await talk.write(post('/v1/logs', GOOD, `Content-Length: ${21 * MIB}`))
    await talk.ended
    await other.stop()
    expect(told.join()).not.toContain('did not finish in time')
    talk.close()
  })
})

describe('a key that is sent twice', () => {
  it.each([
    ['POST', '/v1/logs'],
    ['POST', '/v1/deploys'],
    ['POST', '/mcp'],
    ['GET', '/api/logs'],
    ['GET', '/metrics'],
    ['GET', '/healthz'],
    ['GET', '/nowhere'],
  ])('is refused: %s %s', async (method, path) => {
    for (const second of [GOOD, WRONG, 'AUTHORIZATION: Bearer wrong', 'authorization:']) {
      const head = ['Host: localhost', GOOD, second, 'Content-Type: application/json', 'Connection: close']
      const answer = await sendRaw(port, `${lines(`${method} ${path} HTTP/1.1`, ...head, 'Content-Length: 2')}[]`)
      expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'invalid_request'])
      expect(answer.body).toContain('The authorization header is sent twice: send it once.')
    }
  })

  it('is found however many headers stand between', async () => {
    const between = Array.from({ length: 2_100 }, () => 'a:1')
    const head = ['Host: localhost', GOOD, ...between, WRONG, 'Connection: close']
    const answer = await sendRaw(port, lines('GET /api/project HTTP/1.1', ...head))
    expect(answer.status).toBe(400)
  })

  it('as a Content-Type is refused too', async () => {
    const answer = await sendRaw(
      port,
      `${post('/v1/logs', GOOD, 'Content-Type: text/plain', 'Content-Length: 2', 'Connection: close')}[]`,
    )
    expect(answer.body).toContain('The content-type header is sent twice: send it once.')
  })
})

describe('a transfer coding beside chunked', () => {
  it.each(['gzip, chunked', 'identity, chunked'])('%s is refused', async (coding) => {
    const head = post('/v1/logs', GOOD, `Transfer-Encoding: ${coding}`, 'Connection: close')
    const answer = await sendRaw(port, `${head}2\r\n[]\r\n0\r\n\r\n`)
    expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([400, 'invalid_request'])
  })

  it('does not matter as it is written', async () => {
    const head = post('/v1/logs', GOOD, 'Transfer-Encoding: Chunked', 'Connection: close')
    expect((await sendRaw(port, `${head}2\r\n[]\r\n0\r\n\r\n`)).status).toBe(200)
  })
})

describe('a method that nobody needs', () => {
  it.each(['TRACE', 'QUERY'])('%s gets 405', async (method) => {
    const answer = await sendRaw(
      port,
      lines(`${method} /api/logs HTTP/1.1`, 'Host: localhost', GOOD, 'Connection: close'),
    )
    expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, POST'])
  })
})

it('a request without a Host header is told to send one', async () => {
  const { status, body } = await sendRaw(port, lines('GET /api/project HTTP/1.0', GOOD))
  expect(status).toBe(400)
  expect(JSON.parse(body).error).toMatchObject({
    code: 'invalid_request',
    message: 'The request has no Host header: send one, with the name or address at which you reach this service.',
  })
})

describe('a target that is a whole address', () => {
  const get = (target: string, host = 'localhost') =>
    sendRaw(port, lines(`GET ${target} HTTP/1.1`, `Host: ${host}`, GOOD, 'Connection: close'))

  it.each([
    'http://evil.example/api/project',
    'http://evil.example',
    'http://localhost.evil.example/api/project',
    'http://localhost@evil.example/api/project',
    'http://evil.example:80/metrics',
    'https://evil.example/api/project',
    'http://evil.example?/healthz',
    'HTTP://evil.example/api/project',
    'http:///api/project',
    'ftp://localhost/api/project',
  ])('%s is not answered, whatever the Host header says', async (target) => {
    const { status, body } = await get(target)
    expect([400, 421], body).toContain(status)
    expect(JSON.parse(body).error.code).toMatch(/^(?:misdirected_host|invalid_request)$/)
  })

  it('is answered when it names us', async () => {
    expect((await get('http://localhost:4700/api/project')).status).toBe(200)
    expect((await get('http://127.0.0.1/healthz')).status).toBe(200)
  })

  it('does not make up for a wrong Host header', async () => {
    expect((await get('http://localhost/api/project', 'evil.example')).status).toBe(421)
  })
})

describe('an answer', () => {
  it.each([
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400],
    ['headers that are too large', `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
    ['a path that is wrongly encoded', lines('GET /%zz HTTP/1.1', 'Host: localhost', 'Connection: close'), 400],
  ])('to %s has the headers and the shape of every other', async (_, bytes, status) => {
    const https = open('https://logs.example.com')
    const answer = await sendRaw(await https.listen('127.0.0.1', 0), bytes)
    await https.stop()
    expect(answer.status).toBe(status)
    expect(answer.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
      connection: 'close',
      date: expect.stringMatching(/ GMT$/),
    })
    expect(JSON.parse(answer.body).error).toEqual({
      code: expect.any(String),
      message: expect.stringMatching(/\.$/),
      requestId: answer.headers['x-request-id'],
    })
  })

  it.each([
    ['POST', '/v1/logs', 'application/json'],
    ['POST', '/v1/logs', 'application/x-protobuf'],
    ['POST', '/v1/deploys', 'application/json'],
    ['POST', '/mcp', 'application/json'],
    ['GET', '/api/logs', 'application/json'],
  ])('401 to %s %s of %s says what kind of key is wanted', async (method, path, type) => {
    const head = ['Host: localhost', `Content-Type: ${type}`, 'Connection: close', 'Content-Length: 2']
    const answer = await sendRaw(port, `${lines(`${method} ${path} HTTP/1.1`, ...head)}{}`)
    expect(answer.status).toBe(401)
    expect(answer.headers['www-authenticate']).toMatch(/^Bearer realm="tidemark", error="invalid_token"/)
  })
})
