import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { MAX_JSON_BODY_BYTES } from '@tidemark/wire/limits'
import { afterEach, describe, expect, it } from 'vitest'
import { AppError } from '../errors.ts'
import { deferred } from '../testing/deferred.ts'
import { silentServer } from '../testing/http-server.ts'
import { converse } from '../testing/raw-http.ts'
import type { HttpServer } from './server.ts'

const running: HttpServer[] = []
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})

let slowRequests = 0

function createServer(): HttpServer {
  const server = silentServer()
  server.routes.post('/things', async (request) => ({ got: request.body }))
  server.routes.get('/things/:id', async () => ({}))
  server.routes.delete('/things/:id', async () => ({ gone: true }))
  server.routes.get('/files/*', async () => ({}))
  server.routes.get('/slow', async () => {
    slowRequests++
    return sleep(300, { slow: true })
  })
  server.routes.get('/bug', async () => {
    throw new Error('SELECT secret FROM table')
  })
  server.routes.get('/busy', async () => {
    throw new AppError('rate_limited', 'Too many requests: wait.', { retryAfterSeconds: 1.2 })
  })
  server.routes.get('/fields', async () => {
    throw new AppError('invalid_request', 'One field is wrong.', { fields: [{ path: 'sha', message: 'is missing' }] })
  })
  return server
}

type Inject = {
  url: string
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  payload?: string | Buffer
  type?: string
}

async function ask({ url, method = 'GET', payload, type }: Inject) {
  const response = await createServer().routes.inject({
    method,
    url,
    headers: { host: 'localhost', ...(type === undefined ? {} : { 'content-type': type }) },
    ...(payload === undefined ? {} : { payload }),
  })
  return { status: response.statusCode, headers: response.headers, body: response.json() }
}

describe('a body', () => {
  const post = (payload: string | Buffer, type = 'application/json') =>
    ask({ url: '/things', method: 'POST', payload, type })

  it('of JSON is parsed', async () => {
    expect(await post('{"a":[1,"ü"]}')).toMatchObject({ status: 200, body: { got: { a: [1, 'ü'] } } })
  })

  it('of no bytes is no body, whatever type it says it has', async () => {
    expect(await post('')).toMatchObject({ status: 200, body: {} })
    const type = 'application/json'
    expect(await ask({ url: '/things/1', method: 'DELETE', type })).toMatchObject({ status: 200, body: { gone: true } })
  })

  it.each([
    ['a name that would be a prototype', '{"a":[{"__proto__":{"isAdmin":true}}]}', 'a.0.__proto__'],
    ['a prototype in a constructor', '{"constructor":{"prototype":{}}}', 'constructor.prototype'],
    ['a number beyond a double', '{"a":{"b":1e400}}', 'a.b'],
    ['an integer that a double would change', '{"a":9007199254740993}', 'a'],
  ])('with %s is refused by its path', async (_, payload, path) => {
    expect(await post(payload)).toMatchObject({ status: 400, body: { error: { fields: [{ path }] } } })
  })

  it('that is compressed is refused, for it would only look broken', async () => {
    const headers = { host: 'localhost', 'content-type': 'application/json', 'content-encoding': 'gzip' }
    const answer = await createServer().routes.inject({
      method: 'POST',
      url: '/things',
      headers,
      payload: gzipSync('{}'),
    })
    expect(answer.statusCode).toBe(415)
  })

  it.each<[string, string | Buffer, string, number, string]>([
    ['that is no JSON', '{"a":', 'application/json', 400, 'invalid_request'],
    ['that is not UTF-8', Buffer.from('{"a":"\xfc"}', 'latin1'), 'application/json', 400, 'invalid_request'],
    ['that is plain text', 'hello', 'text/plain', 415, 'unsupported_media_type'],
    ['of another type', '<a/>', 'application/xml', 415, 'unsupported_media_type'],
    ['whose type is none', 'hello', ';;;', 415, 'unsupported_media_type'],
    ['that is too large', `"${'x'.repeat(MAX_JSON_BODY_BYTES)}"`, 'application/json', 413, 'body_too_large'],
  ])('%s is refused', async (_, payload, type, status, code) => {
    expect(await post(payload, type)).toMatchObject({ status, body: { error: { code } } })
  })
})

describe('an error', () => {
  it('that we did not expect says nothing of the inside', async () => {
    const { status, body } = await ask({ url: '/bug' })
    expect({ status, code: body.error.code }).toEqual({ status: 500, code: 'internal' })
    expect(JSON.stringify(body)).not.toMatch(/SELECT|secret|Error/)
  })

  it('that passes with time says when to come back, in whole seconds', async () => {
    const { status, headers } = await ask({ url: '/busy' })
    expect(status).toBe(429)
    expect(headers['retry-after']).toBe('2')
  })

  it('names the fields it is about', async () => {
    const { body } = await ask({ url: '/fields' })
    expect(body.error.fields).toEqual([{ path: 'sha', message: 'is missing' }])
  })

  it.each([
    ['PUT', '/things', 'POST'],
    ['POST', '/things/1', 'DELETE, GET, HEAD'],
    ['DELETE', '/files/a/b', 'GET, HEAD'],
    ['OPTIONS', '/slow', 'GET, HEAD'],
  ] as const)('405 for %s %s allows %s', async (method, url, allow) => {
    const { status, headers } = await ask({ method, url })
    expect({ status, allow: headers.allow }).toEqual({ status: 405, allow })
  })

  it.each(['/thing', '/files', '/things/1/2', `/things/${'x'.repeat(301)}`])('404 is for %s', async (url) => {
    expect(await ask({ url })).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } })
  })
})

describe('a stop', () => {
  it('answers what is under way, tells the client to close, and then refuses', async () => {
    const server = createServer()
    const port = await server.listen('127.0.0.1', 0)
    const url = `http://127.0.0.1:${port}/slow`
    const before = slowRequests
    const asked = fetch(url)
    await expect.poll(() => slowRequests).toBe(before + 1)
    const stopped = server.stop()
    const response = await asked
    expect(await response.json()).toEqual({ slow: true })
    expect(response.headers.get('connection')).toBe('close')
    await stopped
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    await server.stop()
  })
})

describe('a start', () => {
  it('on a port that is taken, or an address that is not ours, fails with the cure', async () => {
    const first = createServer()
    running.push(first)
    const port = await first.listen('127.0.0.1', 0)
    await expect(createServer().listen('127.0.0.1', port)).rejects.toThrow(
      `Port ${port} on 127.0.0.1 is in use by another program: stop it, or set TIDEMARK_PORT to a free port.`,
    )
    await expect(createServer().listen('192.0.2.1', 0)).rejects.toThrow('This machine has no address 192.0.2.1')
  })
})

describe('connections', () => {
  const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
  const answered = /HTTP\/1.1 (\d{3})[\s\S]*\r\n\r\n/

  async function open() {
    const server = silentServer(undefined, { connections: 4, connectionsPerAddress: 3 })
    const held = deferred()
    let [requests, started] = [0, 0]
    server.routes.get('/quick', async () => ({}))
    const hold = async () => {
      requests++
      await held.promise
      return {}
    }
    server.routes.get('/held', hold)
    server.routes.post('/held', hold)
    server.routes.post('/read', { onRequest: async () => void started++ }, async () => ({}))
    running.push(server)
    const port = await server.listen('127.0.0.1', 0)
    const connect = async (address: string, path: string) => {
      const talk = await converse(port, address)
      await talk.write(GET(path))
      return talk
    }
    return { server, port, held, connect, requests: () => requests, started: () => started }
  }

  it('that are idle never keep a new address out', async (context) => {
    if (process.platform !== 'linux') context.skip('other systems have only one loopback address')
    const { server, held, connect } = await open()
    for (let count = 0; count < 6; count++) await (await connect('127.0.0.1', '/quick')).until(answered)
    const working = await connect('127.0.0.2', '/held')
    for (const address of ['127.0.0.3', '127.0.0.4', '127.0.0.5', '127.0.0.6']) {
      const talk = await connect(address, '/quick')
      expect(await talk.until(answered)).toContain('HTTP/1.1 200')
    }
    held.resolve()
    expect(await working.until(answered)).toContain('HTTP/1.1 200')
    expect(server.connectionStats).toMatchObject({ open: 4, refused: 0 })
  })

  it('that do not finish their request never keep a new address out', async (context) => {
    if (process.platform !== 'linux') context.skip('other systems have only one loopback address')
    const { server, port, connect, started } = await open()
    const slow = ['127.0.0.1', '127.0.0.1', '127.0.0.1', '127.0.0.2'].map(async (address) => {
      const talk = await converse(port, address)
      await talk.write(
        'POST /read HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n1',
      )
      return talk
    })
    await Promise.all(slow)
    await expect.poll(started).toBe(4)
    expect(await (await connect('127.0.0.3', '/quick')).until(answered)).toContain('HTTP/1.1 200')
    expect(server.connectionStats).toMatchObject({ open: 4, refused: 0 })
  })

  it('whose request arrived are not closed for a new one, and become idle with the answer', async () => {
    const { port, held, connect, requests } = await open()
    const whole =
      'POST /held HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}'
    const working = await converse(port)
    await working.write(whole)
    const busy = [await connect('127.0.0.1', '/held'), await connect('127.0.0.1', '/held')]
    await expect.poll(requests).toBe(3)
    expect(await (await connect('127.0.0.1', '/quick')).ended).toContain('HTTP/1.1 503')
    held.resolve()
    for (const talk of [working, ...busy]) expect(await talk.until(answered)).toContain('HTTP/1.1 200')
    expect(await (await connect('127.0.0.1', '/quick')).until(answered)).toContain('HTTP/1.1 200')
  })

  it('of an address are refused with what to do while all of its others are busy', async () => {
    const { server, port, held, connect, requests } = await open()
    const busy = [0, 1, 2].map(() => connect('127.0.0.1', '/held'))
    await Promise.all(busy)
    await expect.poll(requests).toBe(3)
    const text = await (await converse(port)).ended
    expect(text).toContain('HTTP/1.1 503 Service Unavailable')
    expect(text).toContain('use fewer connections')
    expect(server.connectionStats).toMatchObject({ open: 3, refused: 1 })
    held.resolve()
    for (const talk of await Promise.all(busy)) expect(await talk.until(answered)).toContain('HTTP/1.1 200')
  })
})
