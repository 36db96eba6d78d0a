/** The door for syslog over TCP or TLS: who may connect, and what becomes of the connections. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TLSSocket } from 'node:tls'
import { isIdOf } from '@tidemark/wire/id-form'
import { type ConnectionPlace, ConnectionPlaces } from '../connection-places.ts'
import { AppError } from '../errors.ts'
import type { Accept } from '../ingest/door/accept.ts'
import type { Log } from '../log.ts'
import { TokenBuckets } from '../token-buckets.ts'
import { type CloseReason, type OwnKey, serveConnection } from './connection.ts'
import { SYSLOG_LIMITS, type SyslogLimits } from './limits.ts'

export type SyslogSettings = {
  /** For what brings no key of its own. */
  key: string | undefined
  tls:
    | {
        cert: string
        key: string
        /** If there is one, only clients with a certificate that it signed are let in. */
        ca: string | undefined
      }
    | undefined
}

export type SyslogStats = {
  connections: number
  messages: number
  refused: number
  closed: Record<CloseReason | 'full' | 'handshake', number>
}

export type SyslogServer = {
  readonly stats: SyslogStats
  /** Resolves with the port once connections are accepted. */
  listen(host: string, port: number): Promise<number>
  /** Stops accepting and reading; resolves when what was read is durable, or its time is up. */
  stop(): Promise<void>
}

type Parts = {
  accept: Pick<Accept, 'holderOf' | 'batch'>
  settings: SyslogSettings
  trustedProxies?: readonly string[]
  log: Log
  limits?: SyslogLimits
}

/** Its place is free once it is closed and all that was read of it is written. */
type Admitted = { place: ConnectionPlace; served: Promise<void> | undefined }

/** Strangers decide how often a connection is closed, so not every one is worth a line. */
const LOG_RATE = { perSecond: 0.2, burst: 10 }

export function createSyslogServer({
  accept,
  settings,
  trustedProxies,
  log,
  limits = SYSLOG_LIMITS,
}: Parts): SyslogServer {
  const stopping = new AbortController()
  const lineRates = new TokenBuckets()
  const serving = new Set<Promise<void>>()
  const places = new ConnectionPlaces(limits, trustedProxies)
  /** By peer: a TLS connection has another socket after its handshake. */
  const admitted = new Map<string, Admitted>()
  const stats: SyslogStats = {
    get connections() {
      return places.stats.open
    },
    messages: 0,
    refused: 0,
    closed: { key: 0, framing: 0, timeout: 0, error: 0, full: 0, handshake: 0 },
  }

  function tell(address: string, reason: keyof SyslogStats['closed']): void {
    stats.closed[reason]++
    if (isWorthALine('closed')) log.info({ address, reason }, 'a syslog connection was closed')
  }

  const isWorthALine = (kind: string) => lineRates.take(kind, 1, LOG_RATE, Date.now()) === 0
  const failed = (err: unknown) => {
    if (isWorthALine('failed')) log.error({ err }, 'syslog messages could not be stored')
  }

  /** Counted from the first byte of the connection: a handshake that takes its time takes a place too. */
  function admit(socket: Socket): boolean {
    const address = socket.remoteAddress ?? ''
    const close = () => {
      tell(address, 'full')
      socket.destroy()
    }
    const place = stopping.signal.aborted ? null : places.take(address, close)
    if (place === null) {
      close()
      return false
    }
    const peer = peerOf(socket)
    const connection: Admitted = { place, served: undefined }
    admitted.set(peer, connection)
    socket.once('close', () => {
      if (admitted.get(peer) === connection) admitted.delete(peer)
      place.setBusy(true)
      Promise.resolve(connection.served).finally(place.free)
    })
    return true
  }

  function serve(socket: Socket, ownKey: OwnKey): void {
    // A handshake may end after the stop.
    if (stopping.signal.aborted) socket.destroy()
    if (socket.destroyed) return
    const address = socket.remoteAddress ?? ''
    const closed = (reason: CloseReason | null) => {
      if (reason !== null) tell(address, reason)
    }
    const connection = admitted.get(peerOf(socket))
    const proven = () => connection?.place.setBusy(true)
    const served = serveConnection(socket, {
      ...{ accept, ownKey, limits, stopping: stopping.signal, stats, proven, failed, closed },
    })
    if (connection) connection.served = served
    serving.add(served)
    served.finally(() => serving.delete(served))
  }

  const ofPort: OwnKey = settings.key === undefined ? null : { secret: settings.key }
  const secure = settings.tls === undefined ? undefined : secureServer(settings.tls, limits.handshakeMs)
  secure?.on('secureConnection', (socket: TLSSocket) => {
    const name = settings.tls?.ca === undefined ? undefined : keyNamedBy(socket)
    serve(socket, name === undefined ? ofPort : { id: name })
  })
  secure?.on('tlsClientError', (_error: Error, socket: TLSSocket) => {
    tell(socket.remoteAddress ?? '', 'handshake')
    socket.destroy()
  })
  const server = createServer((socket) => {
    if (!admit(socket)) return
    // A connection that is not let in never begins a handshake, which would count as a failed one.
    if (secure === undefined) serve(socket, ofPort)
    else secure.emit('connection', socket)
  })

  return {
    stats,
    listen: (host, port) =>
      new Promise<number>((resolve, reject) => {
        const refuse = (error: Error) => reject(listenError(error, host, port))
        server.once('error', refuse)
        server.listen(port, host, () => {
          server.off('error', refuse)
          // Such as too many open files: the connection is lost, the port stays.
          server.on('error', (err) => {
            if (isWorthALine('accept')) log.error({ err }, 'a syslog connection could not be accepted')
          })
          resolve((server.address() as AddressInfo).port)
        })
      }),
    async stop() {
      server.close()
      stopping.abort()
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, limits.stopAfterMs)
      })
      await Promise.race([Promise.allSettled(serving), late])
      clearTimeout(timer)
    },
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

function secureServer({ cert, key, ca }: NonNullable<SyslogSettings['tls']>, handshakeTimeout: number): Server {
  try {
    return createTlsServer({
      cert,
      key,
      handshakeTimeout,
      minVersion: 'TLSv1.2',
      ...(ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: true }),
    })
  } catch (error) {
    throw new AppError(
      'unavailable',
      'The certificate for syslog cannot be used: check that TIDEMARK_SYSLOG_TLS_CERT and TIDEMARK_SYSLOG_TLS_KEY are PEM and belong together.',
      { cause: error },
    )
  }
}

/** The common name of a certificate that our authority signed, when it is the id of a key. */
function keyNamedBy(socket: TLSSocket): string | undefined {
  const { CN } = socket.getPeerCertificate().subject ?? {}
  return typeof CN === 'string' && isIdOf('key', CN) ? CN : undefined
}

function listenError(error: NodeJS.ErrnoException, host: string, port: number): AppError {
  const reason = error.code === 'EADDRINUSE' ? 'is in use by another program' : `cannot be listened on (${error.code})`
  return new AppError(
    'unavailable',
    `Port ${port} on ${host} for syslog ${reason}: set TIDEMARK_SYSLOG_PORT to another one.`,
    { cause: error },
  )
}
