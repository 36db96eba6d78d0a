/**
 * `GET /v1/deploys/{id}/verdict`, for CI: with the key that records deploys, or one that reads. With `wait` the answer comes
 * as soon as it is no longer too early, or when the wait is over. Nothing is given out to a key that was revoked meanwhile.
 */
import { type DeployVerdictAnswer, deployVerdictInput } from '@tidemark/wire/deploys/verdict'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { AuthenticateReader } from '../verbs/access.ts'
import { openEntry, type ReadingCall, type ReadingDoor } from './reading/reading-call.ts'
import { parseInput } from './request/parameters.ts'

type VerdictParts = Omit<ReadingDoor, 'identify'> & { authenticate: AuthenticateReader }

export function verdictRoute(routes: FastifyInstance, { authenticate, ...door }: VerdictParts): void {
  const identify = ({ headers }: FastifyRequest) => authenticate(headers.authorization)
  const enter = openEntry({ ...door, identify })
  routes.get('/v1/deploys/:id/verdict', { exposeHeadRoute: false }, async (request, reply) => {
    const { call, leave } = await enter(request, reply)
    try {
      return await lastVerdict(call)
    } finally {
      leave()
    }
  })
}

async function lastVerdict(call: ReadingCall): Promise<DeployVerdictAnswer> {
  const { reading, caller, query, params, signal, stopping, recheckCaller } = call
  const input = parseInput(deployVerdictInput, query, { id: params.id })
  const ending = AbortSignal.any([signal, ...(stopping ? [stopping] : [])])
  let last: DeployVerdictAnswer | undefined
  try {
    for await (const answer of reading.deployVerdict(caller, input, ending)) {
      await recheckCaller()
      last = answer
    }
  } catch (error) {
    if (stopping?.aborted !== true) throw error
  }
  if (last === undefined) throw new AppError('unavailable', 'The service is stopping: try again in a moment.')
  await recheckCaller()
  return last
}
