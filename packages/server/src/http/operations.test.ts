import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../errors.ts'
import { createLog } from '../log.ts'
import { createMetrics } from './metrics.ts'
import { operationRoutes, type ReadinessCheck } from './operations.ts'
import { createHttpServer } from './server.ts'

type Options = { checks?: ReadinessCheck[]; isStopping?: boolean; metricsToken?: string; boundHost?: string }

function ask(url: string, options: Options = {}, headers: Record<string, string> = {}) {
  const log = createLog('silent')
  const { routes } = createHttpServer({ log, publicUrl: 'http://localhost:4700', urls: [], allowedHosts: [] })
  operationRoutes(routes, {
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
})
