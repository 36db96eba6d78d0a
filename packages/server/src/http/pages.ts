/** Serves the built dashboard under a policy that allows nothing but our own files. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '../errors.ts'
import type { Http } from './server.ts'

const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

/** Paths the dashboard draws itself; each answers with the same document. */
const PAGES = ['/', '/sign-in', '/welcome', '/invitation', '/account', '/projects', '/projects/*']

export function pageRoutes(routes: Http, { webDir }: { webDir: string }): void {
  const isBuilt = existsSync(join(webDir, 'index.html'))
  if (isBuilt) {
    routes.register(fastifyStatic, {
      root: join(webDir, 'assets'),
      prefix: '/assets/',
      immutable: true,
      maxAge: '365d',
      index: false,
      preCompressed: true,
    })
  }
  for (const page of PAGES) {
    routes.get(page, async (_, reply) => {
      if (!isBuilt) throw new AppError('not_found', 'The dashboard is not built: run `npm run build`.')
      reply
        .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
        .header('Cache-Control', 'no-store')
        .header('Cross-Origin-Opener-Policy', 'same-origin')
        .header('Cross-Origin-Resource-Policy', 'same-origin')
      return reply.sendFile('index.html', webDir, { cacheControl: false })
    })
  }
}
