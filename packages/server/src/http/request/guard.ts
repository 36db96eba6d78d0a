/**
 * What every request passes before its route: the Host it names, the Origin it comes from, methods nobody needs, and the
 * headers that every answer carries. Health paths are exempt from the Host check: load balancers ask by address.
 */

import { isLoopbackHost } from '@tidemark/wire/local-address'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../../errors.ts'

export type GuardOptions = {
  publicUrl: string
  /** Other addresses that lead here, and names the operator allows. */
  urls: readonly string[]
  allowedHosts: readonly string[]
}

export const ALIVE_PATH = '/healthz'
export const READY_PATH = '/readyz'
const HEALTH_PATHS = new Set([ALIVE_PATH, READY_PATH])
/** The framework would look at a body, or at its type, before it finds that nobody takes these. */
const UNANSWERED = new Set(['TRACE', 'CONNECT', 'QUERY'])
/** A page of another site must not reach these with a person's cookie or key. */
const ORIGIN_CHECKED = /^\/(api|mcp)(\/|$)/
/** Nor these, where they exist: they are for programs, and for people who open the page itself. */
const ORIGIN_CHECKED_ROUTES = /^\/oauth\//

export function useGuards(routes: FastifyInstance, { publicUrl, urls, allowedHosts }: GuardOptions): void {
  const addresses = [publicUrl, ...urls].map((url) => new URL(url))
  const hosts = new Set([...addresses.map((url) => url.hostname.toLowerCase()), ...allowedHosts])
  const origins = new Set(addresses.map((url) => url.origin))

  routes.addHook('onRequest', async (request, reply) => {
    reply.headers(safetyHeaders(request.id, publicUrl))
    requireOnce(request)
    requirePlainTransfer(request)
    if (UNANSWERED.has(request.method)) {
      reply.header('Allow', 'GET, HEAD, POST')
      throw new AppError(
        'method_not_allowed',
        `${request.method} is not answered by this service: /openapi.json lists the methods of each path.`,
      )
    }
    // Only what the router matched counts, never the text of the path: `/%61pi` is `/api` to it.
    const route = request.routeOptions.url ?? ''
    if (!HEALTH_PATHS.has(route)) requireKnownHost(request, hosts)
    const origin = request.headers.origin
    if (
      origin !== undefined &&
      (ORIGIN_CHECKED.test(route) ||
        ORIGIN_CHECKED_ROUTES.test(route) ||
        ORIGIN_CHECKED.test(decodeURIComponent(request.url.split(/[?#]/, 1)[0] ?? ''))) &&
      !isOwnOrigin(origin, request.headers.host, origins)
    ) {
      throw new AppError(
        'forbidden',
        'Requests from pages of other sites are refused here. Open the dashboard at its own address, TIDEMARK_PUBLIC_URL.',
      )
    }
  })
}

/** Also for answers that are sent before there is a route, or a request. */
export function safetyHeaders(requestId: string, publicUrl: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'X-Content-Type-Options': 'nosniff',
    // For browsers without `frame-ancestors` of the content security policy.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    ...(publicUrl.startsWith('https:') && {
      'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
    }),
  }
}

/** Node silently keeps the first of several; a proxy before us may have looked at another one. */
const AT_MOST_ONCE = ['authorization', 'content-type', 'host']

function requireOnce({ raw }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  const twice = AT_MOST_ONCE.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) throw new AppError('invalid_request', `The ${twice} header is sent twice: send it once.`)
}

/** Node treats `gzip, chunked` as `chunked` and returns data that is still compressed; a proxy before us may not. */
function requirePlainTransfer({ headers }: FastifyRequest): void {
  const coding = headers['transfer-encoding']
  if (coding === undefined || coding.trim().toLowerCase() === 'chunked') return
  throw new AppError('invalid_request', 'Transfer-Encoding can be chunked and nothing else: compress the body instead.')
}

function requireKnownHost(request: FastifyRequest, hosts: Set<string>): void {
  if (request.headers.host === undefined)
    throw new AppError(
      'invalid_request',
      'The request has no Host header: send one, with the name or address at which you reach this service.',
    )
  const isKnown = (host: string | undefined) => host !== undefined && (isLoopbackHost(host) || hosts.has(host))
  if (hostNamesOf(request).every(isKnown)) return
  throw new AppError(
    'misdirected_host',
    'This service does not answer to that host name. Its operator can add it to TIDEMARK_ALLOWED_HOSTS.',
  )
}

/**
 * Every host that a request says it is for: of its Host header, and of its target where that is a whole address, as
 * proxies send it (`GET http://host/path`). Undefined stands for one that is not a host name.
 */
export function hostNamesOf({ raw, headers }: FastifyRequest): (string | undefined)[] {
  const target = raw.url ?? '/'
  if (target.startsWith('/') || target === '*') return [hostNameOf(headers.host)]
  const authority = /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
  return [hostNameOf(headers.host), hostNameOf(authority)]
}

/** Our public origins, or a loopback page that was served under the same host it now asks. */
function isOwnOrigin(origin: string, hostHeader: string | undefined, origins: Set<string>): boolean {
  if (origins.has(origin)) return true
  if (!URL.canParse(origin)) return false
  const url = new URL(origin)
  return isLoopbackHost(url.hostname) && url.host === hostHeader?.toLowerCase()
}

/** The host name of a `Host` header, lower-cased, without its port; undefined when it is not one. */
export function hostNameOf(header: string | undefined): string | undefined {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^:/?#@\s]+)(?::\d{1,5})?$/.exec(header ?? '')
  return match?.[1]?.toLowerCase()
}
