/** Deploys that GitHub and GitLab announce. The bytes are kept as they came: they are what is signed. */
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'
import type { AnnouncedAnswer, AnnouncedBy, AnnouncedInput } from '../verbs/deploys/announced/record-announced.ts'
import { readJsonBody } from './request/json-body.ts'
import { bytesOf, takeBytes } from './request/raw-body.ts'

/** Events carry whole repositories and people, and what somebody put into a deployment. Larger ones get 413. */
export const MAX_WEBHOOK_BYTES = 1024 * 1024

type Parts = { recordAnnounced: (input: AnnouncedInput) => Promise<AnnouncedAnswer> }

export function webhookRoutes(routes: FastifyInstance, { recordAnnounced }: Parts): void {
  routes.register(async (scope) => {
    takeBytes(scope, MAX_WEBHOOK_BYTES)
    for (const from of ['github', 'gitlab'] as const) {
      scope.post(`/v1/deploys/${from}/:webhook`, async (request, reply) => {
        const { headers, params } = request
        const body = bytesOf(request)
        const answer = await recordAnnounced({
          from,
          webhook: (params as { webhook: string }).webhook,
          headers,
          body,
          json: () => jsonOf(from, String(headers['content-type'] ?? ''), body, headers['content-encoding']),
        })
        const status = 'ignored' in answer ? 202 : answer.created ? 201 : 200
        return reply.code(status).header('Cache-Control', 'no-store').send(answer)
      })
    }
  })
}

function jsonOf(from: AnnouncedBy, type: string, body: Buffer, contentEncoding: string | undefined): unknown {
  if (!/^application\/json\b/i.test(type)) {
    const how = from === 'github' ? ': choose the content type application/json for the webhook' : ''
    throw new AppError('unsupported_media_type', `Send events as application/json${how}.`)
  }
  return readJsonBody(body, contentEncoding).body
}
