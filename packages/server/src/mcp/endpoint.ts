/**
 * `POST /mcp`: one stateless endpoint for both eras of the protocol, with JSON answers; only a call that takes long
 * is answered with a stream, for a client that asked for its progress. The key is looked up on every
 * request, and once more before the answer when the call took long, so that a revoked key never gets another answer.
 * Host and Origin are checked before a request gets here.
 */

import {
  createMcpHandler,
  isLegacyRequest,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { isObject } from '@tidemark/wire/is-object'
import { PARSE_ERROR } from '@tidemark/wire/json-rpc'
import { MAX_JSON_BODY_BYTES } from '@tidemark/wire/limits'
import { sizeWords } from '@tidemark/wire/text/size-words'
import { TRACEPARENT } from '@tidemark/wire/trace-id'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Caller, KeyCaller } from '../model/caller.ts'
import { newRequestId } from '../model/id.ts'
import type { McpCall } from '../model/mcp-call.ts'
import { TokenBuckets } from '../token-buckets.ts'
import { rechecking } from '../verbs/access.ts'
import type { Reading } from '../verbs/open-reading.ts'
import { CallLimits, KEY_LIMITS } from '../verbs/reading/call-limits.ts'
import { refusedNotes, withheld } from './call-note.ts'
import { PROGRESS_EVERY_MS, progressTokenOf, withProgress } from './progress.ts'
import { protocolRefusal, refusal, refusedForNow } from './refusal.ts'
import { idOf, type Message, refusedMessages } from './refused-messages.ts'
import { createServer, type ServedCall } from './server.ts'

export type McpOptions = {
  reading: Reading
  /** Takes the whole `Authorization` header; throws `unauthorized`, or `unavailable` when it cannot tell. */
  authenticate(authorization: string | undefined): Promise<Caller>
  publicUrl: string
  version: string
  log: Log
  now?: () => number
  /** The same for every door that takes read keys. */
  limits?: CallLimits
  /** Where clients without a key learn how to get one by OAuth. */
  resourceMetadataUrl?: string | undefined
  /** Writes down that a call was made. Must not wait and not fail. */
  noteCall?: (caller: KeyCaller, call: McpCall) => void
  progressEveryMs?: number
  /** What answers a request. Another one than ours is for checks of the protocol. */
  serverFor?: (call: ServedCall) => Server
}

/** Refused calls that are written down of each key: a client that does not wait would push out all others. */
const REFUSED_RATE = { perSecond: 1, burst: 60 }

/** Never rejects. The request's signal aborts when its client is gone; its `X-Request-Id` must be ours. */
type McpEndpoint = (request: Request) => Promise<Response>

export function createMcpEndpoint(options: McpOptions): McpEndpoint {
  const { reading, publicUrl, version, log, now = Date.now, serverFor = createServer } = options
  const everyMs = options.progressEveryMs ?? PROGRESS_EVERY_MS
  const limits = options.limits ?? new CallLimits(KEY_LIMITS)
  const noteCall = options.noteCall ?? (() => {})
  const refusedCalls = new TokenBuckets()
  const modern = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.call as ServedCall), {
    legacy: 'reject',
    onerror: (error) => log.debug({ err: error }, 'an MCP request was refused'),
  })

  async function serve(request: Request, requestId: string): Promise<Response> {
    if (request.method !== 'POST')
      throw new AppError('method_not_allowed', 'Only POST is answered here: send JSON-RPC messages with it.')
    const startedMs = now()
    const authorization = request.headers.get('authorization') ?? undefined
    const recheckCaller = rechecking(() => authenticated(authorization), now)
    const caller = await authenticated(authorization)
    const body = await readBody(request)
    if (body instanceof Response) return body
    const messages = [body].flat() as Message[]
    const unserved = refusedMessages(messages, request.headers.get('mcp-protocol-version'))
    if (unserved) return unserved

    const entered = enter(caller, messages, startedMs)
    if (entered instanceof AppError) return refusedForNow(entered, messages.map(idOf), Array.isArray(body), requestId)
    const leave = entered
    const { signal } = request
    const own = { log: traced(log, messages), nowMs: startedMs, signal, running: [], notes: [] }
    const call: ServedCall = { reading, caller, publicUrl, version, ...own }
    const token = progressTokenOf(body, request.headers.get('accept'))
    const answering = finish().catch((error) => refused(error, request, requestId))
    return token === null ? answering : withProgress(answering, { token, id: idOf(messages[0]), signal, everyMs })

    async function finish(): Promise<Response> {
      let withheldFor: unknown
      try {
        const response = await answer(normalized(request), withoutCancellations(body), call)
        await recheckCaller()
        response.headers.set('Cache-Control', 'no-store')
        return response
      } catch (error) {
        withheldFor = error
        throw error
      } finally {
        // A client that left does not free its place while its query still runs.
        void Promise.allSettled(call.running).then(() => {
          leave()
          for (const note of call.notes)
            noteCall(caller, withheldFor === undefined ? note : withheld(note, withheldFor))
        })
      }
    }
  }

  /** What frees the places again, or why there are none. */
  function enter(caller: KeyCaller, messages: readonly Message[], nowMs: number): (() => void) | AppError {
    const calls = Math.max(1, messages.filter((message) => message?.id !== undefined).length)
    try {
      return limits.enter(caller.keyId, calls, nowMs)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const notes = refusedNotes(messages, error, nowMs)
      if (refusedCalls.take(caller.keyId, 1, REFUSED_RATE, nowMs) === 0)
        for (const note of notes) noteCall(caller, note)
      return error
    }
  }

  async function authenticated(authorization: string | undefined): Promise<KeyCaller> {
    const caller = await options.authenticate(authorization)
    if (caller.kind !== 'key')
      throw new AppError(
        'unauthorized',
        'This needs a read key (tidemark_read_…): make one in Settings, API & MCP keys.',
      )
    return caller
  }

  async function answer(request: Request, body: unknown, call: ServedCall): Promise<Response> {
    if (await isLegacyRequest(request, body)) return answerLegacy(serverFor(call), request, body)
    const authInfo = { token: '', clientId: call.caller.keyId, scopes: [], extra: { call } }
    return modern.fetch(request, { parsedBody: body, authInfo })
  }

  function refused(error: unknown, request: Request, requestId: string): Response {
    const isOurs = !(error instanceof AppError) || error.status >= 500
    if (isOurs && !request.signal.aborted) {
      const cause = error instanceof Error ? error.cause : undefined
      log.error({ err: error, cause, requestId }, 'an MCP request failed')
    }
    return refusal(error, requestId, options.resourceMetadataUrl)
  }

  return async (request) => {
    const requestId = request.headers.get('x-request-id') ?? newRequestId()
    return serve(request, requestId).catch((error) => refused(error, request, requestId))
  }
}

async function answerLegacy(server: Server, request: Request, body: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  await server.connect(transport)
  // The transport would wait for answers that never come: aborted handlers send none.
  const gone = new Promise<Response>((resolve) => {
    const leave = () => resolve(new Response(null, { status: 499 }))
    if (request.signal.aborted) leave()
    else request.signal.addEventListener('abort', leave, { once: true })
  })
  try {
    const response = await Promise.race([transport.handleRequest(request, { parsedBody: body }), gone])
    return Array.isArray(body) ? asBatch(response) : response
  } finally {
    await server.close()
  }
}

/** The transport answers a batch of one request with a bare object, which JSON-RPC does not allow. */
async function asBatch(response: Response): Promise<Response> {
  if (response.status !== 200) return response
  const answer: unknown = await response.json()
  return Response.json(Array.isArray(answer) ? answer : [answer])
}

/** Scripts often accept only one type or name none; the transports would refuse them, and we answer JSON anyway. */
function normalized(request: Request): Request {
  const headers = new Headers(request.headers)
  headers.set('Accept', 'application/json, text/event-stream')
  headers.set('Content-Type', 'application/json')
  headers.delete('Authorization')
  return new Request(request.url, { method: 'POST', headers, signal: request.signal })
}

/** What goes wrong is written down with the client's own trace, if it names one, so that both can be compared. */
function traced(log: Log, [message]: readonly Message[]): Log {
  const meta = message?.params?._meta
  const traceparent = isObject(meta) ? meta.traceparent : undefined
  return typeof traceparent === 'string' && TRACEPARENT.test(traceparent) ? log.child({ traceparent }) : log
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type') ?? ''
  if (!/^\s*application\/json\s*(;|$)/i.test(type)) {
    throw new AppError('unsupported_media_type', 'Send the message as Content-Type: application/json.')
  }
  if (!/^\s*(?:identity)?\s*$/i.test(request.headers.get('content-encoding') ?? '')) {
    throw new AppError(
      'unsupported_media_type',
      'Compressed messages are not accepted here: send plain JSON without a Content-Encoding.',
    )
  }
  const bytes = await bytesOf(request)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return protocolRefusal(400, PARSE_ERROR, 'Parse error: the body is not valid JSON.')
  }
}

async function bytesOf(request: Request): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.body ?? []) {
    size += chunk.length
    if (size > MAX_JSON_BODY_BYTES) {
      throw new AppError(
        'body_too_large',
        `A message has at most ${sizeWords(MAX_JSON_BODY_BYTES)}: ask for less at once.`,
      )
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** In one body with what it cancels, it would leave that request without an answer and the connection open forever. */
function withoutCancellations(body: unknown): unknown {
  if (!Array.isArray(body)) return body
  return body.filter((message: Message) => message?.method !== 'notifications/cancelled')
}
