/** The interface, for machines at /openapi.json and for people at /docs, without any script. */

import type { FastifyInstance } from 'fastify'
import { apiPage } from './api-page.ts'
import { openApiDocument } from './openapi.ts'

const CONTENT_SECURITY_POLICY =
  "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export function documentRoutes(routes: FastifyInstance, { publicUrl }: { publicUrl: string }): void {
  const document = openApiDocument(publicUrl)
  const { html, css } = apiPage(document)
  routes.get('/openapi.json', async (_, reply) => reply.header('Access-Control-Allow-Origin', '*').send(document))
  routes.get('/docs', async (_, reply) =>
    reply.type('text/html; charset=utf-8').header('Content-Security-Policy', CONTENT_SECURITY_POLICY).send(html),
  )
  routes.get('/docs.css', async (_, reply) => reply.type('text/css; charset=utf-8').send(css))
}
