/**
 * The door for programs: reading with a read key, accepted only in `Authorization`, because addresses end up in logs.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { AuthenticateReader } from '../verbs/access.ts'
import type { ReadingDoor } from './reading/reading-call.ts'
import { readingRoutes } from './reading/reading-routes.ts'

export type ApiParts = Omit<ReadingDoor, 'identify'> & { authenticate: AuthenticateReader }

export function apiRoutes(routes: FastifyInstance, { authenticate, ...parts }: ApiParts): void {
  const identify = ({ headers }: FastifyRequest) => authenticate(headers.authorization)
  readingRoutes(routes, { ...parts, prefix: '/api', identify })
}
