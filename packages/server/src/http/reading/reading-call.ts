/** One question at the reading door: who asks, how many they may ask, and how long somebody waits for the answer. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { clientGone } from '../../client-gone.ts'
import { type Caller, callerId } from '../../model/caller.ts'
import { RECHECK_AFTER_MS, rechecking } from '../../verbs/access.ts'
import type { Reading } from '../../verbs/open-reading.ts'
import { CallLimits, KEY_LIMITS } from '../../verbs/reading/call-limits.ts'

export type ReadingDoor = {
  /** Finds the caller or refuses; called for every request, and again before an answer that took long. */
  identify: (request: FastifyRequest) => Promise<Caller>
  reading: Reading
  /** The same for every door that takes read keys. */
  limits?: Pick<CallLimits, 'enter'>
  /** Ends the tails, which would otherwise never end. */
  stopping?: AbortSignal
  recheckAfterMs?: number
  now?: () => number
}

export type ReadingCall = {
  reading: Reading
  caller: Caller
  query: unknown
  params: Record<string, string>
  reply: FastifyReply
  /** Aborts when the client has gone. */
  signal: AbortSignal
  /** Aborts when the service stops: for answers that would never end. */
  stopping: AbortSignal | undefined
  recheckAfterMs: number
  /** Throws when the key or the session has ended since its last check, if that was longer than `recheckAfterMs` ago. */
  recheckCaller(): Promise<void>
}

export function openEntry({
  identify,
  reading,
  limits = new CallLimits(KEY_LIMITS),
  stopping,
  recheckAfterMs = RECHECK_AFTER_MS,
  now = Date.now,
}: ReadingDoor) {
  /** `leave` frees the place among the caller's calls. */
  return async (request: FastifyRequest, reply: FastifyReply): Promise<{ call: ReadingCall; leave: () => void }> => {
    const recheckCaller = rechecking(() => identify(request), now, recheckAfterMs)
    const caller = await identify(request)
    const leave = limits.enter(callerId(caller), 1, now())
    reply.header('Cache-Control', 'no-store')
    const call: ReadingCall = {
      reading,
      caller,
      query: request.query,
      params: request.params as Record<string, string>,
      reply,
      signal: clientGone(reply.raw),
      stopping,
      recheckAfterMs,
      recheckCaller,
    }
    return { call, leave }
  }
}
