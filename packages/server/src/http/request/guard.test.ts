import { isLoopbackHost } from '@tidemark/wire/local-address'
import { describe, expect, it } from 'vitest'
import { createLog } from '../../log.ts'
import { createHttpServer } from '../server.ts'
import { hostNameOf } from './guard.ts'

function server(publicUrl = 'http://localhost:4700') {
  const { routes } = createHttpServer({
    log: createLog('silent'),
    publicUrl,
    urls: ['https://in.example.com/ingest'],
    allowedHosts: ['extra.example'],
  })
  for (const path of ['/healthz', '/api/:thing', '/mcp', '/apiary', '/v1/logs'])
    routes.all(path, { exposeHeadRoute: false }, async () => ({ ok: true }))
  return routes
}

const ask = (url: string, headers: Record<string, string>, publicUrl?: string) =>
  server(publicUrl).inject({ method: 'POST', url, headers: { host: 'localhost:4700', ...headers } })

describe('the name in a Host header', () => {
  it.each([
    ['localhost', 'localhost'],
    ['LocalHost:4700', 'localhost'],
    ['[::1]:80', '[::1]'],
    ['[2001:DB8::1]', '[2001:db8::1]'],
    ['10.0.0.1:1', '10.0.0.1'],
  ])('of %s is %s', (header, name) => {
    expect(hostNameOf(header)).toBe(name)
  })

  it.each([
    undefined,
    '',
    ':80',
    'a:b',
    'a:123456',
    'a b',
    'a@b',
    'a/b',
    'a#b',
    'a?b',
    '::1',
    '[::1',
    '[::1]x',
    'a:80:80',
  ])('of %s is none', (header) => {
    expect(hostNameOf(header)).toBeUndefined()
  })

  it('is loopback only when nobody else can answer to it', () => {
    for (const name of ['localhost', 'LOCALHOST', 'a.b.localhost', '127.0.0.1', '127.255.0.3', '::1', '[::1]'])
      expect(isLoopbackHost(name), name).toBe(true)
    for (const name of [
      '',
      'localhost.evil',
      'mylocalhost',
      '127.0.0.1.evil',
      '127.1',
      '1127.0.0.1',
      '0.0.0.0',
      '[::]',
    ])
      expect(isLoopbackHost(name), name).toBe(false)
  })
})

describe('the Host check', () => {
  it('answers to loopback names, to the host of each address and to what the operator allows', async () => {
    for (const host of ['localhost', '[::1]:4700', 'in.example.com', 'IN.example.com:443', 'extra.example:8080'])
      expect((await ask('/v1/logs', { host })).statusCode, host).toBe(200)
    for (const host of ['evil.example', 'sub.extra.example', 'in.example.com.evil.example'])
      expect((await ask('/v1/logs', { host })).statusCode, host).toBe(421)
  })

  it('lets health checks through however their path is written, and nothing else', async () => {
    const host = 'evil.example'
    expect((await ask('/healthz?x', { host })).statusCode).toBe(200)
    expect((await ask('/%68ealthz', { host })).statusCode).toBe(200)
    expect((await ask('/v1/logs?/healthz', { host })).statusCode).toBe(421)
    expect((await ask('/healthz/', { host })).statusCode).toBe(421)
  })
})

describe('the Origin check', () => {
  it.each([
    '/api/x',
    '/api/x?y',
    '/mcp',
    '/%61pi/x',
    '/%6D%63%70',
    'http://localhost:4700/mcp',
    '/api/unknown/x',
    '/mcp#%zz',
  ])('refuses pages of other sites at %s', async (url) => {
    for (const origin of ['https://evil.example', 'null', '', 'http://localhost', 'http://localhost:4701'])
      expect((await ask(url, { origin })).statusCode, origin).toBe(403)
  })

  it('lets our own pages through, under the public address and under the host they were served from', async () => {
    expect((await ask('/mcp', { origin: 'http://localhost:4700' })).statusCode).toBe(200)
    expect((await ask('/mcp', { origin: 'http://127.0.0.1:4700', host: '127.0.0.1:4700' })).statusCode).toBe(200)
    expect((await ask('/mcp', { origin: 'https://in.example.com' })).statusCode).toBe(200)
    const published = 'https://logs.example.com/tidemark'
    expect((await ask('/mcp', { origin: 'https://logs.example.com' }, published)).statusCode).toBe(200)
    expect((await ask('/mcp', { origin: 'http://logs.example.com' }, published)).statusCode).toBe(403)
  })

  it('does not believe a Host header that is not loopback', async () => {
    const headers = { origin: 'http://extra.example', host: 'extra.example' }
    expect((await ask('/mcp', headers)).statusCode).toBe(403)
  })

  it('is for these paths only, and for requests with an Origin only', async () => {
    expect((await ask('/apiary', { origin: 'https://evil.example' })).statusCode).toBe(200)
    expect((await ask('/v1/logs', { origin: 'https://evil.example' })).statusCode).toBe(200)
    expect((await ask('/mcp', {})).statusCode).toBe(200)
  })
})
