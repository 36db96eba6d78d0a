import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AppError } from '../../errors.ts'
import type { Accept, AcceptedBatch } from '../../ingest/door/accept.ts'
import type { Sender } from '../../ingest/senders/sender.ts'
import { silentServer } from '../../testing/http-server.ts'
import { readCaller } from '../../testing/reading-rows.ts'
import { pageRoutes } from '../pages.ts'
import type { HttpServer } from '../server.ts'
import { datadogRoutes } from './datadog-routes.ts'
import { elasticsearchRoutes } from './elasticsearch-routes.ts'
import { lokiRoutes } from './loki-routes.ts'

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
const KEY = { authorization: 'Bearer good' }
let webDir: string
let server: HttpServer
let taken: Sender[]
let tooLarge: (string | undefined)[]
let outcome: () => AcceptedBatch

const accept: Accept = {
  stats: { batches: 0, records: 0, rejected: 0, bytes: 0 },
  authenticate: async () => undefined,
  requireKey: async (headers) => {
    if (headers.authorization === 'Bearer good' || headers['dd-api-key'] === 'good') return readCaller()
    throw new AppError('unauthorized', 'This needs a valid key.')
  },
  holderOf: async () => readCaller(),
  owe: () => {},
  discard: () => {},
  noteTooLarge: (caller) => void tooLarge.push(caller?.keyId),
  checkDebt: () => {},
  batch: async (_caller, _headers, _body, sender) => {
    taken.push(sender!)
    return outcome()
  },
}

beforeEach(() => {
  webDir = mkdtempSync(join(tmpdir(), 'senders-'))
  mkdirSync(join(webDir, 'assets'))
  writeFileSync(join(webDir, 'index.html'), '<!doctype html><title>Tidemark</title>')
  server = silentServer()
  for (const routes of [lokiRoutes, elasticsearchRoutes, datadogRoutes]) routes(server.routes, { accept })
  pageRoutes(server.routes, { webDir })
  taken = []
  tooLarge = []
  outcome = () => ({ protocol: 'sender', total: 1, accepted: 1, rejected: [] })
})
afterEach(async () => {
  await server.routes.close()
  rmSync(webDir, { recursive: true, force: true })
})

type Headers = Record<string, string>
const ask = (method: 'GET' | 'HEAD' | 'POST' | 'PUT', url: string, headers: Headers = {}, payload?: string) =>
  server.routes.inject({ method, url, headers: { host: 'localhost', ...headers }, ...(payload && { payload }) })

describe('the first address', () => {
  it.each<[string, Headers]>([
    ['a browser', { accept: BROWSER }],
    ['a browser behind a proxy with a password', { accept: BROWSER, authorization: `Basic ${btoa('me:secret')}` }],
    ['a program without a key', { accept: '*/*' }],
    ['nobody in particular', {}],
  ])('is the dashboard for %s', async (_, headers) => {
    const response = await ask('GET', '/', headers)
    expect([response.statusCode, response.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
    expect(response.headers['x-elastic-product']).toBeUndefined()
  })

  it.each<[string, Headers]>([
    ['an Elasticsearch client', { accept: 'application/vnd.elasticsearch+json; compatible-with=8' }],
    ['a shipper that takes anything', { accept: '*/*' }],
    ['a shipper that says nothing', {}],
  ])('says which version it is to %s with a key', async (_, headers) => {
    for (const url of ['/', '/?pretty']) {
      const response = await ask('GET', url, { ...headers, ...KEY })
      expect(response.headers['x-elastic-product']).toBe('Elasticsearch')
      expect(response.json()).toMatchObject({ version: { number: '8.19.0' }, tagline: 'You Know, for Search' })
    }
    expect((await ask('HEAD', '/', { ...headers, ...KEY })).statusCode).toBe(200)
  })

  it('refuses a shipper with a wrong key', async () => {
    const response = await ask('GET', '/', { accept: '*/*', authorization: 'Bearer bad' })
    expect([response.statusCode, response.json().error.type]).toEqual([401, 'security_exception'])
  })

  it('leaves other pages alone', async () => {
    expect((await ask('GET', '/projects', KEY)).headers['content-type']).toContain('text/html')
  })
})

describe('what a shipper asks before it sends', () => {
  const PATHS = [
    '/_license',
    '/_xpack',
    '/_cluster/health',
    '/_cat/health',
    '/_index_template/logs',
    '/_component_template/logs',
    '/_template/filebeat',
    '/_ilm/policy/filebeat',
    '/_ingest/pipeline/p',
    '/_data_stream/logs-shop-production',
  ]
  it.each(PATHS)('is answered with a key, and refused without: %s', async (path) => {
    const { statusCode, headers } = await ask('GET', path, KEY)
    expect([statusCode, headers['x-elastic-product']]).toEqual([200, 'Elasticsearch'])
    expect((await ask('HEAD', path, KEY)).statusCode).toBe(200)
    const refused = await ask('GET', path)
    expect([refused.statusCode, refused.json().status]).toEqual([401, 401])
  })

  it('may be set up, of which nothing is kept', async () => {
    const headers = { ...KEY, 'content-type': 'application/json' }
    const response = await ask('PUT', '/_index_template/logs', headers, '{"index_patterns":["logs-*"]}')
    expect(response.json()).toEqual({ acknowledged: true })
    const large = await ask('PUT', '/_index_template/logs', headers, ' '.repeat(20 * 1024 * 1024 + 1))
    expect([large.statusCode, large.json().error.type]).toEqual([413, 'content_too_long_exception'])
  })
})

describe('a body that is too large', () => {
  it.each(['/loki/api/v1/push', '/_bulk', '/api/v2/logs'])('is counted by its key, at %s', async (path) => {
    const headers = { ...KEY, 'content-type': 'application/json' }
    expect((await ask('POST', path, headers, ' '.repeat(20 * 1024 * 1024 + 1))).statusCode).toBe(413)
    expect(tooLarge).toEqual([readCaller().keyId])
    expect(taken).toEqual([])
  })
})

describe('an answer', () => {
  const partly: AcceptedBatch = {
    protocol: 'sender',
    total: 8,
    accepted: 1,
    rejected: Array.from({ length: 7 }, (_, index) => ({ index, reason: 'It is too old.' })),
  }

  it('of Loki tells what was not taken as text', async () => {
    expect((await ask('POST', '/loki/api/v1/push', KEY, '{}')).statusCode).toBe(204)
    outcome = () => partly
    const { statusCode, body } = await ask('POST', '/loki/api/v1/push', KEY, '{}')
    expect(statusCode).toBe(400)
    expect(body).toMatchInlineSnapshot(`
      "7 of 8 entries were not taken. All other entries are stored. Entry 0: It is too old. Entry 1: It is too old. Entry 2: It is too old. Entry 3: It is too old. Entry 4: It is too old. 2 more like these.
      "
    `)
  })

  it('of Datadog tells it beside 202', async () => {
    const headers = { 'dd-api-key': 'good' }
    expect((await ask('POST', '/api/v2/logs', headers, '{}')).statusCode).toBe(202)
    expect((await ask('POST', '/v1/input', headers, '{}')).json()).toEqual({})
    expect((await ask('POST', '/v1/input?dd-api-key=good', {}, '{}')).statusCode).toBe(401)
    outcome = () => partly
    expect((await ask('POST', '/api/v2/logs', headers, '{}')).statusCode).toBe(202)
    outcome = () => ({ ...partly, accepted: 0 })
    const { statusCode, body } = await ask('POST', '/api/v2/logs', headers, '{}')
    expect([statusCode, JSON.parse(body).errors[0].status]).toEqual([400, '400'])
  })

  it('of Datadog is for a request whose address may describe its entries', async () => {
    const headers = { 'dd-api-key': 'good', 'content-type': 'application/json' }
    const path = '/api/v2/logs?ddsource=nodejs&ddtags=env:staging,version:9&service=shop&hostname=web-9&ddtags=a:b&x=1'
    for (const url of [path, '/v1/input', '/v1/input?service=']) await ask('POST', url, headers, '{}')
    const defaults = { ddsource: 'nodejs', ddtags: 'env:staging,version:9,a:b', hostname: 'web-9', service: 'shop' }
    expect(taken).toEqual([{ protocol: 'datadog', defaults }, { protocol: 'datadog' }, { protocol: 'datadog' }])
  })

  it('of Elasticsearch has an item for each action', async () => {
    outcome = () => ({
      ...partly,
      actions: [
        { action: 'delete', index: 'a', id: '1' },
        { action: 'create', index: 'a', id: null },
      ],
      rejected: [{ index: 0, reason: 'Records are never changed.' }],
    })
    const response = await ask('PUT', '/logs-a-b/_bulk', KEY, '{}')
    expect(taken).toEqual([{ protocol: 'elasticsearch', index: 'logs-a-b' }])
    expect(response.json()).toMatchObject({
      errors: true,
      items: [
        { delete: { _id: '1', status: 400, error: { type: 'illegal_argument_exception' } } },
        { create: { _index: 'a', _id: expect.stringMatching(/-1$/), status: 201, result: 'created' } },
      ],
    })
  })

  it.each(['rate_limited', 'spool_full'] as const)('of %s says when to come again', async (code) => {
    outcome = () => {
      throw new AppError(code, 'Wait.', { retryAfterSeconds: 3 })
    }
    for (const path of ['/loki/api/v1/push', '/_bulk', '/api/v2/logs']) {
      const { statusCode, headers } = await ask('POST', path, KEY, '{}')
      expect([statusCode, headers['retry-after']]).toEqual([code === 'rate_limited' ? 429 : 503, '3'])
    }
  })

  it('to our own mistake tells nothing of it', async () => {
    outcome = () => {
      throw new Error('SELECT secret FROM table')
    }
    const { statusCode, body } = await ask('POST', '/_bulk', KEY, '{}')
    expect(statusCode).toBe(500)
    expect(body).not.toContain('SELECT')
  })
})
