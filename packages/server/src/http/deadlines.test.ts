/** No connection without a deadline, whatever was sent and answered on it. Real sockets; the clock is the test's. */
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { silentServer } from '../testing/http-server.ts'
import { type Conversation, converse } from '../testing/raw-http.ts'
import { withoutEnd } from './request/request-time.ts'
import type { HttpServer } from './server.ts'

let server: HttpServer
let port: number
let talk: Conversation
let requests = 0

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  requests = 0
  server = silentServer('http://localhost')
  server.routes.addHook('onRequest', async () => void requests++)
  server.routes.post('/things', async () => ({}))
  server.routes.get('/things', async () => ({}))
  server.routes.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, body, done) => done(null, body))
    /** Reads the first piece of a body without an end, and answers. */
    scope.post('/endless', async ({ raw }, reply) => {
      const begin = withoutEnd(raw)
      await raw.iterator({ destroyOnReturn: false }).next()
      begin()
      return reply.code(400).send('enough')
    })
    /** Reads it and waits for an end that the test does not give. */
    scope.post('/for-ever', async ({ raw }) => {
      withoutEnd(raw)
      return raw.pipe(new PassThrough())
    })
  })
  port = await server.listen('127.0.0.1', 0)
  talk = await converse(port)
})
afterEach(async () => {
  vi.useRealTimers()
  talk.close()
  await server.stop()
})

const connections = () =>
  new Promise<number>((resolve) => server.routes.server.getConnections((_, count) => resolve(count)))
const post = (path: string, ...head: string[]) =>
  `${[`POST ${path} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json', ...head].join('\r\n')}\r\n\r\n`
const statusesIn = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))
const LENGTH = 'Content-Length: 200000'
const CHUNKED = 'Transfer-Encoding: chunked'

/** Whatever was written: the connection is there until the time has passed, and then gone although we keep our half. */
async function expectGoneAfter(ms: number): Promise<void> {
  vi.advanceTimersByTime(ms - 1)
  await talk.write(' ')
  expect(await connections()).toBe(1)
  vi.advanceTimersByTime(1)
  await talk.ended
  vi.advanceTimersByTime(5_000)
  await expect.poll(connections, { timeout: 10_000 }).toBe(0)
}

describe('a connection whose request does not come to its end is gone after half a minute', () => {
  it.each<[string, string]>([
    ['of a length', post('/things', LENGTH)],
    ['in chunks', `${post('/things', CHUNKED)}2\r\n[]\r\n`],
    ['after an expectation that nobody knows', post('/things', LENGTH, 'Expect: cake')],
    ['after an upgrade that nobody knows', post('/things', LENGTH, 'Connection: Upgrade', 'Upgrade: websocket')],
    ['at a path that is none', post('/nothing', LENGTH)],
    ['with a method that is not possible', post('/things', LENGTH).replace('POST', 'PUT')],
    ['after a length with leading zeros', post('/things', 'Content-Length: 0009')],
  ])('%s', async (_, bytes) => {
    await talk.write(bytes)
    await expect.poll(() => requests).toBe(1)
    await expectGoneAfter(30_000)
    expect(statusesIn(await talk.ended)).toEqual([408])
  })

  it.each<[string, string, number]>([
    ['told to go on', post('/things', LENGTH, 'Expect: 100-continue'), 100],
    ['answered 415', post('/things', LENGTH).replace('application/json', 'text/plain'), 415],
    ['answered 200 to HEAD', post('/things', LENGTH).replace('POST', 'HEAD'), 200],
    ['answered 400 for its path', post('/%zz', LENGTH), 400],
    ['answered 421', post('/things', LENGTH).replace('localhost', 'evil.example'), 421],
  ])('%s', async (_, bytes, status) => {
    await talk.write(bytes)
    await talk.until(new RegExp(` ${status} `))
    await expectGoneAfter(30_000)
    expect(statusesIn(await talk.ended)).toEqual([status, 408])
  })

  it('as the second of its connection', async () => {
    await talk.write('GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await talk.until(/ 200 /)
    await talk.write(post('/things', LENGTH))
    await expect.poll(() => requests).toBe(2)
    await expectGoneAfter(30_000)
  })
})

describe('a connection that was told to close is gone half a minute later, although bytes keep coming', () => {
  it.each<[string, string, number]>([
    ['refused for its length', post('/things', 'Content-Length: 999999999'), 413],
    ['refused in chunks', post('/things', CHUNKED).replace('application/json', 'text/plain'), 415],
    [
      'refused after an expectation',
      post('/things', LENGTH, 'Expect: 100-continue').replace('application/json', 'text/plain'),
      415,
    ],
    ['answered in the middle of a body without an end', `${post('/endless', LENGTH)}x`, 400],
    ['answered in the middle of chunks without an end', `${post('/endless', CHUNKED)}1\r\nx\r\n`, 400],
  ])('%s', async (_, bytes, status) => {
    await talk.write(bytes)
    expect(await talk.until(new RegExp(` ${status} `))).toMatch(/^connection: close\r$/im)
    await talk.ended
    expect(await connections()).toBe(1)
    vi.advanceTimersByTime(30_000)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  })
})

describe('a connection', () => {
  it.each(['NONSENSE\r\n\r\n', `${post('/things', CHUNKED)}zz\r\n`])('is gone after %j', async (bytes) => {
    await talk.write(bytes)
    await talk.ended
    vi.advanceTimersByTime(5_000)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  })

  it('is gone 75 seconds after its last answer, although line ends keep coming', async () => {
    for (let count = 1; count <= 2; count++) {
      await talk.write('GET /things HTTP/1.1\r\nHost: localhost\r\n\r\n')
      await talk.until(new RegExp(`( 200 .+){${count}}`, 's'))
      await expect.poll(() => vi.getTimerCount()).toBe(1)
      vi.advanceTimersByTime(74_999)
      await talk.write('\r\n')
    }
    expect(await connections()).toBe(1)
    vi.advanceTimersByTime(1)
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  })

  it('is gone when whoever sends is gone', async () => {
    await talk.write(post('/things', LENGTH))
    await expect.poll(() => requests).toBe(1)
    talk.close()
    await expect.poll(connections, { timeout: 10_000 }).toBe(0)
  })

  it('stays for a body without an end, as long as whoever reads it wants', async () => {
    await talk.write(`${post('/for-ever', CHUNKED)}1\r\nx\r\n`)
    await expect.poll(() => requests).toBe(1)
    vi.advanceTimersByTime(3_600_000)
    await talk.write('0\r\n\r\n')
    expect(statusesIn(await talk.until(/\r\n\r\nb?/))).toEqual([200])
  })

  it('stays when a request has come to its end in time', async () => {
    await talk.write(`${post('/things', 'Content-Length: 2')}[]`)
    await talk.until(/ 200 /)
    vi.advanceTimersByTime(60_000)
    await talk.write('GET /things HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(statusesIn(await talk.ended)).toEqual([200, 200])
  })
})
