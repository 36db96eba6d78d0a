import { request } from 'node:http'
import { beforeAll, describe, expect, it } from 'vitest'
import { type RawAnswer, sendRaw } from '../packages/server/src/testing/raw-http.ts'
import { type Service, sharedService, startService } from './support/service/service.ts'

const TOKEN = 'metrics-token-0123456789'

/** As it comes, and as it stands behind a public address. */
let plain: Service
let published: Service
/** Started first, because the server takes its time before it cuts them. */
let slowHeaders: Promise<RawAnswer>
let silence: Promise<RawAnswer>
let cutAfterMs: Promise<number>

beforeAll(async () => {
  plain = await sharedService()
  const slowSince = Date.now()
  slowHeaders = sendRaw(plain.port, 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: y')
  silence = sendRaw(plain.port, '')
  cutAfterMs = Promise.all([slowHeaders, silence]).then(() => Date.now() - slowSince)
  published = await startService({
    engine: false,
    env: {
      TIDEMARK_PUBLIC_URL: 'https://logs.example.com',
      TIDEMARK_ALLOWED_HOSTS: 'tidemark.internal, 10.0.0.7',
      TIDEMARK_METRICS_TOKEN: TOKEN,
    },
  })
})

describe('an error', () => {
  it.each([
    ['an unknown path', 'GET', '/nothing', 404, 'not_found'],
    ['an unknown path below the API', 'GET', '/api/nothing', 404, 'not_found'],
    ['an unknown asset', 'GET', '/assets/nothing.js', 404, 'not_found'],
    ['a wrong method', 'POST', '/healthz', 405, 'method_not_allowed'],
    ['a wrong method on a page', 'DELETE', '/', 405, 'method_not_allowed'],
    ['TRACE', 'TRACE', '/', 405, 'method_not_allowed'],
    ['a path that is wrongly encoded', 'GET', '/%zz', 400, 'invalid_request'],
    ['a path cut within a character', 'GET', '/%e2%82', 400, 'invalid_request'],
    ['an asset path that is wrongly encoded', 'GET', '/assets/%ff', 400, 'invalid_request'],
  ])('for %s has the one shape', async (_, method, path, status, code) => {
    const answer = await ask(plain, { method, path })
    expectError(answer, status, code)
  })

  it.each([
    ['/healthz', 'GET, HEAD'],
    ['/', 'GET, HEAD'],
    ['/assets/any.js', 'GET, HEAD'],
  ])('405 at %s names the methods that are possible', async (path, allow) => {
    const answer = await ask(plain, { method: 'POST', path })
    expect(answer.status).toBe(405)
    expect(answer.headers.allow).toBe(allow)
  })

  it('carries the request id of its header, in the body too', async () => {
    const { headers, body } = await ask(plain, { path: '/nothing' })
    expect(JSON.parse(body).error.requestId).toBe(headers['x-request-id'])
  })

  it('says nothing of the inside and does not repeat what was sent', async () => {
    const { body } = await ask(plain, { path: '/nothing-%3Cscript%3E' })
    expect(body).not.toMatch(/script|node_modules|\.js\b|\.ts\b|fastify/i)
  })
})

describe('broken HTTP', () => {
  const head = 'Host: localhost\r\n'
  it.each<[string, string | Buffer, number, string]>([
    ['a request line that is none', 'NONSENSE\r\n\r\n', 400, 'invalid_request'],
    ['a method that nobody knows', `BREW / HTTP/1.1\r\n${head}\r\n`, 400, 'invalid_request'],
    ['an unknown version', `GET / HTTP/9.9\r\n${head}\r\n`, 400, 'invalid_request'],
    [
      'two lengths',
      `POST / HTTP/1.1\r\n${head}Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc`,
      400,
      'invalid_request',
    ],
    [
      'a length and chunks',
      `POST / HTTP/1.1\r\n${head}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
      'invalid_request',
    ],
    [
      'an unknown transfer coding',
      `POST / HTTP/1.1\r\n${head}Transfer-Encoding: xchunked\r\n\r\nabc`,
      400,
      'invalid_request',
    ],
    ['a NUL in a header', `GET / HTTP/1.1\r\n${head}X-A: b\0c\r\n\r\n`, 400, 'invalid_request'],
    ['a space before a colon', `GET / HTTP/1.1\r\n${head}X-A : b\r\n\r\n`, 400, 'invalid_request'],
    ['lines that end without a carriage return', 'GET / HTTP/1.1\nHost: localhost\n\n', 400, 'invalid_request'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_request'],
    ['two hosts', `GET / HTTP/1.1\r\n${head}Host: evil.example\r\nConnection: close\r\n\r\n`, 400, 'invalid_request'],
    ['a header of 20 KB', `GET / HTTP/1.1\r\n${head}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    [
      'thousands of headers',
      `GET / HTTP/1.1\r\n${head}${Array.from({ length: 3000 }, (_, i) => `X-${i}: a\r\n`).join('')}\r\n`,
      431,
      'headers_too_large',
    ],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), 400, 'invalid_request'],
  ])('%s is refused in the one shape and the connection ends', async (_, bytes, status, code) => {
    const answer = await sendRaw(plain.port, bytes)
    expectError(answer, status, code)
    expect(answer.headers.connection).toBe('close')
  })

  it('a bad chunk gets one answer only', async () => {
    const start = `POST /nothing HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const answer = await sendRaw(plain.port, `${start}zz\r\n`)
    expectError(answer, 400, 'invalid_request')
    expect(answer.text.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })

  it('CONNECT gets no tunnel', async () => {
    const answer = await sendRaw(plain.port, `CONNECT evil.example:443 HTTP/1.1\r\n${head}\r\n`)
    expect(answer.text).not.toMatch(/ 2\d\d /)
  })

  it('an expectation or an upgrade that the service does not know is ignored', async () => {
    const close = 'Connection: close\r\n\r\n'
    expect((await sendRaw(plain.port, `GET /healthz HTTP/1.1\r\n${head}Expect: cake\r\n${close}`)).status).toBe(200)
    const upgrade = `GET /healthz HTTP/1.1\r\n${head}Upgrade: websocket\r\nConnection: Upgrade, close\r\n\r\n`
    expect((await sendRaw(plain.port, upgrade)).status).toBe(200)
  })

  it('does not disturb the service', async () => {
    expect((await ask(plain, { path: '/readyz' })).status).toBe(200)
    expect(plain.stderr()).not.toMatch(/"level":"(error|fatal)"/)
  })
})

describe('the Host header', () => {
  it.each(['localhost', 'LOCALHOST:80', 'shop.localhost', '127.0.0.1', '127.9.9.9:4700', '[::1]:4700'])(
    '%s is answered on a loopback binding',
    async (host) => {
      expect((await ask(plain, { path: '/metrics', headers: { host } })).status).toBe(200)
    },
  )

  it.each([
    'evil.example',
    'evil.example:4700',
    '127.0.0.1.evil.example',
    'localhost.evil.example',
    'evil.example#localhost',
    'localhost@evil.example',
    '169.254.169.254',
    '[::2]',
    '0.0.0.0',
  ])('%s is not answered', async (host) => {
    expectError(await ask(plain, { path: '/', headers: { host } }), 421, 'misdirected_host')
    expectError(await ask(plain, { path: '/nothing', headers: { host } }), 421, 'misdirected_host')
  })

  it.each(['logs.example.com', 'Logs.Example.Com:443', 'tidemark.internal', '10.0.0.7:8080', 'localhost'])(
    '%s is answered when it is public or allowed',
    async (host) => {
      expect((await ask(published, { path: '/', headers: { host } })).status).toBe(200)
    },
  )

  it('does not matter to health checks, and they cannot be stretched to other paths', async () => {
    const headers = { host: 'evil.example' }
    expect((await ask(plain, { path: '/healthz', headers })).status).toBe(200)
    expect((await ask(plain, { path: '/readyz?x=1', headers })).status).toBe(200)
    for (const path of ['/healthz/..', '/readyz/', '/metrics?/healthz', '//healthz'])
      expectError(await ask(plain, { path, headers }), 421, 'misdirected_host')
  })
})

describe('the Origin header', () => {
  it.each(['/api', '/api/logs', '/api?x', '/mcp', '/mcp/', '/%61pi/logs', '/%6dcp'])(
    'of another site is refused at %s',
    async (path) => {
      for (const origin of ['https://evil.example', 'null', 'http://localhost:1', 'http://localhost.evil.example'])
        expectError(await ask(plain, { path, method: 'POST', headers: { origin } }), 403, 'forbidden')
    },
  )

  it('of our own pages passes', async () => {
    const own = { origin: `http://localhost:${plain.port}`, host: `localhost:${plain.port}` }
    expectError(await ask(plain, { path: '/api/nothing', headers: own }), 404, 'not_found')
    const headers = { origin: 'https://logs.example.com', host: 'logs.example.com' }
    expectError(await ask(published, { path: '/api/nothing', headers }), 404, 'not_found')
  })

  it('does not matter elsewhere', async () => {
    expect((await ask(plain, { path: '/healthz', headers: { origin: 'https://evil.example' } })).status).toBe(200)
  })
})

describe('every answer', () => {
  it('has a request id of our own making', async () => {
    const headers = { 'x-request-id': 'mine', 'request-id': 'mine' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(plain, { path: '/healthz', headers })))
    const ids = answers.map((answer) => answer.headers['x-request-id'])
    expect(new Set(ids).size).toBe(50)
    for (const id of ids) expect(id).toMatch(/^req_[A-Za-z0-9_-]{12}$/)
  })

  it.each(['/', '/healthz', '/nothing', '/assets/nothing.js', '/metrics'])(
    'at %s forbids sniffing and referrers',
    async (path) => {
      const { headers } = await ask(plain, { path })
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers['strict-transport-security']).toBeUndefined()
      expect(headers).not.toHaveProperty('server')
      expect(headers).not.toHaveProperty('x-powered-by')
    },
  )

  it('insists on https when the public address is https', async () => {
    const { headers } = await ask(published, { path: '/nothing' })
    expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains')
  })

  it('to HEAD is the answer to GET without its body', async () => {
    for (const path of ['/healthz', '/']) {
      const [get, head] = [await ask(plain, { path }), await ask(plain, { path, method: 'HEAD' })]
      expect(head.status).toBe(200)
      expect(head.body).toBe('')
      expect(head.headers['content-length']).toBe(String(Buffer.byteLength(get.body)))
    }
  })
})

describe('a page', () => {
  it('allows nothing but our own files, and no frame around it', async () => {
    const { headers } = await ask(plain, { path: '/' })
    const policy = headers['content-security-policy'] ?? ''
    expect(policy.split('; ')).toEqual(
      expect.arrayContaining([
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "object-src 'none'",
      ]),
    )
    expect(policy).not.toMatch(/unsafe|\*|http/)
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'cross-origin-opener-policy': 'same-origin' })
  })

  it('is followed by assets that may be kept for a year', async () => {
    const { body } = await ask(plain, { path: '/' })
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(body)?.[1] ?? ''
    const { status, headers } = await ask(plain, { path: script })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(headers['content-type']).toMatch(/^(text|application)\/javascript/)
  })

  it.each([
    '/assets/../index.html',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
    '/assets/%00',
    '/assets//etc/passwd',
    '/assets/',
  ])('does not lead out of the assets by %s', async (path) => {
    const { status, body } = await ask(plain, { path })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    expect(JSON.parse(body)).toHaveProperty('error.code')
  })
})

describe('/metrics', () => {
  it('is open on a loopback binding without a token', async () => {
    const { status, headers, body } = await ask(plain, { path: '/metrics' })
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^text\/plain/)
    expect(body).toMatch(/^tidemark_http_request_seconds_count\{.*route="\/healthz"/m)
  })

  it('counts unknown paths and methods under one name, so that nobody can make endless series', async () => {
    await ask(plain, { path: '/nothing-0001' })
    const { body } = await ask(plain, { path: '/metrics' })
    expect(body).not.toContain('nothing-0001')
    expect(body).toContain('route="unknown"')
  })

  it('needs the token when there is one', async () => {
    const metrics = (authorization?: string) =>
      ask(published, { path: '/metrics', headers: authorization === undefined ? {} : { authorization } })
    expectError(await metrics(), 401, 'unauthorized')
    expectError(await metrics(`Bearer ${TOKEN}x`), 401, 'unauthorized')
    expectError(await metrics(TOKEN), 401, 'unauthorized')
    expect((await metrics(`Bearer ${TOKEN}`)).status).toBe(200)
  })
})

describe('a connection', () => {
  it('that sends its headers too slowly, or nothing at all, is cut', async () => {
    for (const answer of await Promise.all([slowHeaders, silence])) {
      expectError(answer, 408, 'request_timeout')
      expect(answer.headers['retry-after']).toBe('1')
    }
    expect(await cutAfterMs).toBeLessThan(25_000)
  })
})

type Ask = { path: string; method?: string; headers?: Record<string, string> }
type Answer = { status: number; headers: Record<string, string | undefined>; body: string }

/** node:http, because fetch would correct the path and refuse to send Host and Origin. */
function ask(service: Service, { path, method = 'GET', headers = {} }: Ask): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ port: service.port, host: '127.0.0.1', path, method, headers }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Answer['headers'], body }),
      )
    })
    asked.on('error', reject).end()
  })
}

function expectError({ status, headers, body }: Answer, expectedStatus: number, code: string): void {
  const { error } = JSON.parse(body)
  expect({ status, code: error.code }).toEqual({ status: expectedStatus, code })
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('no-store')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(Object.keys(error).sort()).toEqual(['code', 'message', 'requestId'])
  expect(error.message).toMatch(/^[A-Z].*\.$/)
}
