/**
 * The reading part of `/api`, for programs with a read key. Translates between addresses and verbs and decides nothing.
 * The key stands in `Authorization` alone, because addresses end up in logs; it is looked up for every call, and again
 * before an answer that took long.
 */
import { analysesInput, analysisInput } from '@tidemark/wire/analysis'
import { contextInput, countInput, deploysInput, fieldsInput, searchInput } from '@tidemark/wire/reading'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import { CallLimits, KEY_LIMITS } from '../../verbs/reading/call-limits.ts'
import type { Reading } from '../../verbs/reading/reading.ts'
import { type AuthenticateReader, RECHECK_AFTER_MS } from '../../verbs/require-reader.ts'
import type { Http } from '../server.ts'
import { exportRoute } from './export.ts'
import { parseInput } from './input.ts'
import { tailRoute } from './tail.ts'

export type ApiParts = Omit<ReadingRoutes, 'prefix' | 'identify'> & { authenticate: AuthenticateReader }

/** The same paths, below `prefix`, for whoever `identify` finds or refuses. It is asked again before a late answer. */
export type ReadingRoutes = {
  prefix: string
  identify: (request: FastifyRequest) => Promise<Caller>
  reading: Reading
  /** The same for every door that takes read keys. */
  limits?: Pick<CallLimits, 'enter'>
  /** Ends the tails, which would otherwise never end. */
  stopping?: AbortSignal
  recheckAfterMs?: number
  now?: () => number
}

export type ApiCall = {
  reading: Reading
  caller: Caller
  query: unknown
  params: Record<string, string>
  reply: FastifyReply
  /** Aborts when the client has gone. */
  signal: AbortSignal
  /** Aborts when the service stops: for answers that have no end of their own. */
  stopping: AbortSignal | undefined
  recheckAfterMs: number
  /** Throws when the key was revoked since it was last looked at, longer than `recheckAfterMs` ago. */
  requireKey(): Promise<void>
}

type Answer = (call: ApiCall) => Promise<unknown>

const nothing = z.object({})

const ANSWERS: Record<string, Answer> = {
  '/project': ({ reading, caller, query, signal }) => {
    parseInput(nothing, query)
    return reading.describeProject(caller, signal)
  },
  '/logs': ({ reading, caller, query, signal }) => reading.searchLogs(caller, parseInput(searchInput, query), signal),
  '/logs/count': ({ reading, caller, query, signal }) =>
    reading.countLogs(caller, parseInput(countInput, query), signal),
  '/logs/fields': ({ reading, caller, query, signal }) =>
    reading.listFields(caller, parseInput(fieldsInput, query), signal),
  '/logs/:id/context': ({ reading, caller, query, params, signal }) =>
    reading.getLogContext(caller, parseInput(contextInput, query, { id: params.id }), signal),
  '/analyses': ({ reading, caller, query, signal }) =>
    reading.listAnalyses(caller, parseInput(analysesInput, query), signal),
  '/analyses/:id': ({ reading, caller, query, params, signal }) =>
    reading.getAnalysis(caller, parseInput(analysisInput, query, { id: params.id }), signal),
  '/deploys': ({ reading, caller, query }) => reading.listDeploys(caller, parseInput(deploysInput, query)),
}

const STREAMS: Record<string, Answer> = { '/logs/export': exportRoute, '/logs/tail': tailRoute }

export function apiRoutes(routes: Http, { authenticate, ...parts }: ApiParts): void {
  const identify = ({ headers }: FastifyRequest) => authenticate(headers.authorization)
  readingRoutes(routes, { ...parts, prefix: '/api', identify })
}

export function readingRoutes(routes: Http, parts: ReadingRoutes): void {
  const { prefix, identify, reading, limits = new CallLimits(KEY_LIMITS), stopping } = parts
  const { recheckAfterMs = RECHECK_AFTER_MS, now = Date.now } = parts
  for (const [path, answer] of Object.entries(ANSWERS)) {
    routes.get(prefix + path, { exposeHeadRoute: false }, async (request, reply) => {
      const { call, leave } = await enter(request, reply)
      try {
        const body = await answer(call)
        await call.requireKey()
        return body
      } finally {
        leave()
      }
    })
  }
  for (const [path, answer] of Object.entries(STREAMS)) {
    routes.get(prefix + path, { exposeHeadRoute: false }, async (request, reply) => {
      const { call, leave } = await enter(request, reply)
      reply.raw.once('close', leave)
      return answer(call)
    })
  }

  async function enter(request: FastifyRequest, reply: FastifyReply): Promise<{ call: ApiCall; leave: () => void }> {
    const lookUp = () => identify(request)
    const caller = await lookUp()
    const leave = limits.enter(callerId(caller), 1, now())
    let checkedMs = now()
    reply.header('Cache-Control', 'no-store')
    const call: ApiCall = {
      reading,
      caller,
      query: request.query,
      params: request.params as Record<string, string>,
      reply,
      signal: leaving(reply),
      stopping,
      recheckAfterMs,
      async requireKey() {
        if (now() - checkedMs < recheckAfterMs) return
        checkedMs = now()
        await lookUp()
      },
    }
    return { call, leave }
  }
}

function callerId(caller: Caller): string {
  if (caller.kind === 'key') return caller.keyId
  return caller.kind === 'person' ? caller.personId : caller.kind
}

/** Aborts when the client has gone. */
export function leaving({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new AppError('request_timeout', 'The client did not wait for the answer.'))
  })
  return gone.signal
}
