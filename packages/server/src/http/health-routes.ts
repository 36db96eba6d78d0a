/** For those who run the service: `/healthz` (alive), `/readyz` (ready for requests) and `/metrics`. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { isLoopbackHost } from '@tidemark/wire/local-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from './metrics.ts'
import { ALIVE_PATH, hostNamesOf, READY_PATH } from './request/guard.ts'

/** One thing that must work before requests are sent here. Returns a sentence when it does not. */
export type ReadinessCheck = { name: string; check: () => Promise<string | undefined> }

type Options = {
  checks: readonly ReadinessCheck[]
  metrics: Metrics
  metricsToken: string | undefined
  boundHost: string
  log: Log
  isStopping: () => boolean
}

const CHECK_TIMEOUT_MS = 3_000

export function healthRoutes(
  routes: FastifyInstance,
  { checks, metrics, metricsToken, boundHost, log, isStopping }: Options,
): void {
  routes.get(ALIVE_PATH, async (_, reply) => reply.header('Cache-Control', 'no-store').send({ status: 'ok' }))

  routes.get(READY_PATH, async (_, reply) => {
    const results = await Promise.all(
      checks.map(async ({ name, check }) => ({
        name,
        problem: await withTimeout(check()).catch((error: unknown) => failed(name, error)),
      })),
    )
    if (isStopping()) results.push({ name: 'process', problem: 'The service is stopping.' })
    const isReady = results.every(({ problem }) => problem === undefined)
    const body = {
      status: isReady ? 'ready' : 'unavailable',
      checks: results.map(({ name, problem }) =>
        problem === undefined ? { name, ok: true } : { name, ok: false, problem },
      ),
    }
    if (!isReady) reply.header('Retry-After', '2')
    return reply
      .code(isReady ? 200 : 503)
      .header('Cache-Control', 'no-store')
      .send(body)
  })

  routes.get('/metrics', async (request, reply) => {
    if (metricsToken !== undefined) requireToken(request.headers.authorization, metricsToken)
    else if (!isLoopbackHost(boundHost) || !isFromThisMachine(request)) {
      throw new AppError('forbidden', 'Metrics need a token: set TIDEMARK_METRICS_TOKEN and send it as a bearer token.')
    }
    return reply
      .type(metrics.registry.contentType)
      .header('Cache-Control', 'no-store')
      .send(await metrics.registry.metrics())
  })

  function failed(name: string, error: unknown): string {
    log.warn({ err: error, check: name }, 'a readiness check failed')
    return error instanceof AppError ? error.message : 'Not answering.'
  }
}

/** What proxies and CDNs say about their clients. A proxy on this machine also connects from a loopback address. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|x-real-ip|(?:x-|true-|fastly-)?(?:cluster-)?client-ip|(?:x-forwarded|x-original|x-envoy|x-amzn|cf)(?:-.*)?)$/

function isFromThisMachine(request: FastifyRequest): boolean {
  if (Object.keys(request.headers).some((name) => FORWARDING.test(name))) return false
  return hostNamesOf(request).every((host) => host !== undefined && isLoopbackHost(host))
}

function requireToken(header: string | undefined, token: string): void {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  if (header !== undefined && timingSafeEqual(digest(header), digest(`Bearer ${token}`))) return
  throw new AppError('unauthorized', 'Send the metrics token as `Authorization: Bearer …`.')
}

async function withTimeout(work: Promise<string | undefined>): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<string>((resolve) => {
    timer = setTimeout(() => resolve(`No answer within ${CHECK_TIMEOUT_MS / 1000} s.`), CHECK_TIMEOUT_MS)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}
