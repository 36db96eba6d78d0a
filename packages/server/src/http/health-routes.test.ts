import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { healthRoutes, type ReadinessCheck } from './health-routes.ts'
import { createMetrics } from './metrics.ts'
import { createHttpServer } from './server.ts'

type Options = { checks?: ReadinessCheck[]; isStopping?: boolean; metricsToken?: string; boundHost?: string }

function ask(url: string, options: Options = {}, headers: Record<string, string> = {}) {
  const log = createLog('silent')
  const { routes } = createHttpServer({ log, publicUrl: 'https://logs.example.com', urls: [], allowedHosts: [] })
  healthRoutes(routes, {
    checks: options.checks ?? [],
    metrics: createMetrics(),
    metricsToken: options.metricsToken,
    boundHost: options.boundHost ?? '127.0.0.1',
    log,
    isStopping: () => options.isStopping ?? false,
  })
  return routes.inject({ url, headers: { host: 'localhost', ...headers } })
}

const check = (name: string, outcome: () => Promise<string | undefined>): ReadinessCheck => ({ name, check: outcome })
const fine = check('fine', async () => undefined)

describe('/readyz', () => {
  it('is ready when every check is', async () => {
    const response = await ask('/readyz', { checks: [fine] })
    expect(response.statusCode).toBe(200)
    expect(response.json()).toEqual({ status: 'ready', checks: [{ name: 'fine', ok: true }] })
    expect(response.headers['cache-control']).toBe('no-store')
  })

  it('names every problem, in words meant for the reader', async () => {
    const response = await ask('/readyz', {
      checks: [
        fine,
        check('told', async () => 'The disk is full.'),
        check('thrown', () => Promise.reject(new AppError('unavailable', 'The database is away.'))),
        check('bug', () => Promise.reject(new Error('password=hunter2'))),
      ],
    })
    expect(response.statusCode).toBe(503)
    expect(response.headers['retry-after']).toBe('2')
    expect(response.json()).toEqual({
      status: 'unavailable',
      checks: [
        { name: 'fine', ok: true },
        { name: 'told', ok: false, problem: 'The disk is full.' },
        { name: 'thrown', ok: false, problem: 'The database is away.' },
        { name: 'bug', ok: false, problem: 'Not answering.' },
      ],
    })
  })

  it('does not wait for a check that hangs', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const asked = ask('/readyz', { checks: [check('hung', () => new Promise(() => {}))] })
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0))
      await vi.advanceTimersByTimeAsync(3_000)
      expect((await asked).json().checks).toEqual([{ name: 'hung', ok: false, problem: 'No answer within 3 s.' }])
    } finally {
      vi.useRealTimers()
    }
  })

  it('is not ready while the service stops, although it still is healthy', async () => {
    const response = await ask('/readyz', { checks: [fine], isStopping: true })
    expect(response.statusCode).toBe(503)
    expect(response.json().checks).toContainEqual({ name: 'process', ok: false, problem: 'The service is stopping.' })
    expect((await ask('/healthz', { isStopping: true })).statusCode).toBe(200)
  })
})

describe('/metrics', () => {
  it('is open on loopback, closed elsewhere, and with a token open to whoever has it', async () => {
    const token = 'a-token-of-24-characters'
    const status = async (options: Options, headers: Record<string, string> = {}) =>
      (await ask('/metrics', options, headers)).statusCode
    expect(await status({})).toBe(200)
    expect(await status({ boundHost: '0.0.0.0' })).toBe(403)
    expect(await status({ metricsToken: token })).toBe(401)
    expect(await status({ metricsToken: token }, { authorization: `Bearer ${token}` })).toBe(200)
    expect(await status({ metricsToken: token, boundHost: '0.0.0.0' }, { authorization: `Bearer ${token}` })).toBe(200)
    expect(await status({ metricsToken: token }, { authorization: token })).toBe(401)
  })

  it.each([
    ['x-forwarded-for', '203.0.113.7'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'localhost'],
    ['x-real-ip', '127.0.0.1'],
    ['forwarded', 'for=203.0.113.7'],
    ['via', '1.1 proxy'],
    ['true-client-ip', '203.0.113.7'],
    ['client-ip', '203.0.113.7'],
    ['x-client-ip', '203.0.113.7'],
    ['x-cluster-client-ip', '203.0.113.7'],
    ['cf-connecting-ip', '203.0.113.7'],
    ['x-envoy-external-address', '203.0.113.7'],
    ['x-amzn-trace-id', 'Root=1'],
    ['x-original-forwarded-for', '203.0.113.7'],
    ['cdn-loop', 'cloudflare'],
    ['host', 'logs.example.com'],
    ['host', 'logs.example.com:443'],
  ])('is closed to who comes through a proxy on the same machine, as %s: %s tells', async (name, value) => {
    const token = 'a-token-of-24-characters'
    expect((await ask('/metrics', {}, { [name]: value })).statusCode).toBe(403)
    const headers = { [name]: value, authorization: `Bearer ${token}` }
    expect((await ask('/metrics', { metricsToken: token }, headers)).statusCode).toBe(200)
  })

  it('stays open to what programs on the same machine send', async () => {
    for (const host of ['localhost:4700', '127.0.0.1', '[::1]:4700']) {
      const headers = {
        host,
        accept: 'text/plain',
        'user-agent': 'Prometheus/3',
        'x-prometheus-scrape-timeout-seconds': '10',
      }
      expect((await ask('/metrics', {}, headers)).statusCode).toBe(200)
    }
  })
})
