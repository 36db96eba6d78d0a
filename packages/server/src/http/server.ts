/**
 * The HTTP server: limits and time-outs on the socket, the guards before every route, one error shape after it, and a
 * stop that cuts nobody off. Routes are added by the other files of this room.
 */

import { createServer, type Server } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Server as NetServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_JSON_BODY_BYTES } from '@tidemark/wire/limits'
import Fastify, { type FastifyInstance } from 'fastify'
import { type ConnectionLimits, type ConnectionPlace, ConnectionPlaces } from '../connection-places.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { newRequestId } from '../model/id.ts'
import { TokenBuckets } from '../token-buckets.ts'
import { brokenReplies, MAX_HEADER_BYTES } from './request/broken-reply.ts'
import { continueWhenRead, useEarlyAnswers } from './request/early-answer.ts'
import { type MissingPage, useErrorReplies } from './request/error-reply.ts'
import { type GuardOptions, useGuards } from './request/guard.ts'
import { withinIdleTime } from './request/idle-time.ts'
import { takeJsonBodies } from './request/json-body.ts'
import { withinTime } from './request/request-time.ts'

/** SECURITY: slow or silent clients lose their connection; the check runs often enough to keep this time. */
const HEADERS_TIMEOUT_MS = 10_000
const CONNECTION_CHECK_EVERY_MS = 2_000
const KEEP_ALIVE_MS = 65_000
export const HTTP_CONNECTIONS: ConnectionLimits = { connections: 2_000, connectionsPerAddress: 1_000 }
const MAX_REQUESTS_PER_SOCKET = 1_000
/** External clients decide how often a connection is refused, so most refusals are only counted. */
const REFUSAL_LOG_RATE = { perSecond: 0.1, burst: 1 }

/** We stop listening when no connection has come for the first of these, or at the latest after the second. */
const QUIET_MS = 100
const LISTEN_ON_MS = 1_000
/** After a stop is asked for, answered connections are told to close for this long before idle ones are closed. */
const DRAIN_MS = 500
/** What is still in flight then gets this long; the process must end within 10 s, and the spool needs some of it. */
const STOP_DEADLINE_MS = 4_000

export type HttpServer = {
  readonly routes: FastifyInstance
  readonly connectionStats: ConnectionPlaces['stats']
  /** Resolves with the port once connections are accepted. */
  listen(host: string, port: number): Promise<number>
  /** Stops accepting, lets what is in flight finish, then closes every connection. */
  stop(): Promise<void>
}

type HttpServerOptions = GuardOptions & {
  log: Log
  /** Who is trusted about the visitor's address. */
  trustedProxies?: readonly string[]
  connectionLimits?: ConnectionLimits
  missingPage?: MissingPage | undefined
}

export function createHttpServer(options: HttpServerOptions): HttpServer {
  const { log, publicUrl, trustedProxies = [], connectionLimits = HTTP_CONNECTIONS } = options
  const broken = brokenReplies({ publicUrl })
  let stopping: { listeningEnded: Promise<void> } | undefined
  let connections = 0
  const places = new ConnectionPlaces(connectionLimits, trustedProxies)
  const placeOf = new WeakMap<Socket, ConnectionPlace>()
  const lineRates = new TokenBuckets()
  let server!: Server

  const routes = Fastify({
    // For routes that do not say otherwise.
    bodyLimit: MAX_JSON_BODY_BYTES,
    genReqId: newRequestId,
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    frameworkErrors: broken.path,
    routerOptions: { maxParamLength: 300, ignoreTrailingSlash: false },
    serverFactory: (route) => {
      const handler = withinIdleTime(
        withinTime(route, broken.request),
        KEEP_ALIVE_MS + HEADERS_TIMEOUT_MS,
        (socket, isBusy) => placeOf.get(socket)?.setBusy(isBusy),
      )
      server = createServer(
        {
          headersTimeout: HEADERS_TIMEOUT_MS,
          // Ours to keep: Node's holds for every path alike, and a journal may be sent for hours.
          requestTimeout: 0,
          connectionsCheckingInterval: CONNECTION_CHECK_EVERY_MS,
          keepAliveTimeout: KEEP_ALIVE_MS,
          maxHeaderSize: MAX_HEADER_BYTES,
          requireHostHeader: false, // ours to check: Node's answer has no body
        },
        handler,
      )
      server.maxRequestsPerSocket = MAX_REQUESTS_PER_SOCKET
      // Their bytes are limited. By default Node silently drops what comes after the 2,000th.
      server.maxHeadersCount = 0
      const [serve] = server.listeners('connection')
      server.removeAllListeners('connection')
      server.on('connection', (socket) => {
        connections++
        if (admit(socket)) serve?.call(server, socket)
      })
      server.on('clientError', broken.request)
      // An expectation we do not know is ignored; Node would answer 417 without a body.
      server.on('checkExpectation', handler)
      server.on('checkContinue', continueWhenRead(handler))
      return server
    },
  })
  // JSON where a route says nothing else; Fastify would parse text/plain too.
  takeJsonBodies(routes)
  useErrorReplies(routes, log, options.missingPage)
  useGuards(routes, options)
  // When the answer is sent, not when the request came: one already under way must not invite another either. It waits
  // until we no longer listen, or its client would be back at once, in the queue that the system then discards.
  routes.addHook('onSend', async (_, reply) => {
    if (!stopping) return
    reply.header('Connection', 'close')
    await stopping.listeningEnded
  })
  // After the hook above, which may be what closes the connection.
  const early = useEarlyAnswers(routes)

  function admit(socket: Socket): boolean {
    const place = places.take(socket.remoteAddress, () => socket.destroy())
    if (place !== null) {
      placeOf.set(socket, place)
      socket.once('close', place.free)
      return true
    }
    if (lineRates.take('refused', 1, REFUSAL_LOG_RATE, Date.now()) === 0)
      log.warn({ address: socket.remoteAddress }, 'a connection was refused: too many are busy')
    socket.on('error', () => {}).once('finish', () => socket.destroy())
    broken.request(Object.assign(new Error(), { code: 'TOO_MANY_CONNECTIONS' }), socket)
    return false
  }

  /** Connections that the system has taken for us but we have not accepted yet would be reset. */
  async function untilNoneIsWaiting(): Promise<void> {
    const giveUpAt = performance.now() + LISTEN_ON_MS
    for (let seen = -1; seen !== connections && performance.now() < giveUpAt; await sleep(QUIET_MS)) seen = connections
  }

  return {
    routes,
    connectionStats: places.stats,
    async listen(host, port) {
      await routes.ready()
      await new Promise<void>((resolve, reject) => {
        server.once('error', (error) => reject(listenError(error, host, port)))
        server.listen(port, host, resolve)
      })
      return (server.address() as AddressInfo).port
    },
    async stop() {
      if (stopping) return
      let closed!: Promise<void>
      const endListening = async () => {
        if (server.listening) await untilNoneIsWaiting()
        // Only stop listening: http's own close would also cut keep-alive connections whose next request is on the way.
        closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()))
      }
      stopping = { listeningEnded: endListening() }
      await stopping.listeningEnded
      const sweep = setInterval(() => {
        server.closeIdleConnections()
        early.endLingering()
      }, DRAIN_MS)
      const cut = setTimeout(() => {
        log.warn('some requests did not finish in time and were cut off')
        server.closeAllConnections()
      }, STOP_DEADLINE_MS)
      await closed
      clearInterval(sweep)
      clearTimeout(cut)
      await routes.close()
    },
  }
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): Error {
  const sentence = LISTEN_ERRORS[error.code ?? '']
  if (!sentence) return error
  return new AppError('unavailable', sentence(host, port), { cause: error })
}

const LISTEN_ERRORS: Record<string, (host: string, port: number) => string> = {
  EADDRINUSE: (host, port) =>
    `Port ${port} on ${host} is in use by another program: stop it, or set TIDEMARK_PORT to a free port.`,
  EACCES: (_, port) => `Port ${port} needs more rights than this user has: set TIDEMARK_PORT to a port above 1023.`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}: set TIDEMARK_HOST to one of its own, or to 127.0.0.1.`,
  ENOTFOUND: (host) => `The name ${host} does not resolve: set TIDEMARK_HOST to an address of this machine.`,
}
