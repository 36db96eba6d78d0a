/** Serves the built dashboard under a policy that allows nothing but our own files. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { readAddress } from '@tidemark/wire/dashboard/address'
import { SESSION_PATH } from '@tidemark/wire/dashboard/api-paths'
import { firstRequests } from '@tidemark/wire/dashboard/first-requests'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import type { BegunAnswers } from './reading/begun-answers.ts'
import type { MissingPage } from './request/error-reply.ts'

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

/** A proxy in front of the service refuses an answer whose headers are larger than one of its buffers. */
const MAX_LINKS_CHARACTERS = 2_000

type PageOptions = {
  webDir: string
  /** Pages that another site opens in a window of its own, and waits for. */
  opened?: readonly string[]
  begun?: BegunAnswers | undefined
}

export function pageRoutes(routes: FastifyInstance, { webDir, opened = [], begun }: PageOptions): void {
  const isBuilt = isBuiltIn(webDir)
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
  for (const page of [...PAGES, ...opened]) {
    routes.get(page, async (request, reply) => {
      if (!isBuilt) throw new AppError('not_found', 'The dashboard is not built: run `npm run build`.')
      const { pathname, search } = splitUrl(request.url)
      if (page.endsWith('*') && !readAddress(pathname, '')?.page) return reply.callNotFound()
      const first = firstRequests(pathname, search)
      const links = preloadLinks(first)
      if (links !== '' && links.length <= MAX_LINKS_CHARACTERS) {
        reply.header('Link', links)
        for (const path of first) if (path !== SESSION_PATH) begun?.begin(routes, request, path)
      }
      // Else the window would lose who opened it, also after it was sent back there.
      if (opened.includes(page)) reply.header('Cross-Origin-Opener-Policy', 'unsafe-none')
      return sendDashboard(reply, webDir)
    })
  }
}

/**
 * What a browser gets at an address that leads nowhere: the dashboard, which says so and links back. Undefined when it
 * is not built.
 */
export function missingPage(webDir: string): MissingPage | undefined {
  return isBuiltIn(webDir) ? (reply) => sendDashboard(reply.code(404), webDir) : undefined
}

/** The browser sends these as soon as the document begins to come, and gives their answers to the page's first script. */
function preloadLinks(paths: readonly string[]): string {
  return paths.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`).join(', ')
}

function splitUrl(url: string): { pathname: string; search: string } {
  const at = url.indexOf('?')
  return at < 0 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at) }
}

async function sendDashboard(reply: FastifyReply, webDir: string): Promise<FastifyReply> {
  const document = await readFile(join(webDir, 'index.html'))
  return reply
    .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    .header('Cache-Control', 'no-store')
    .header('Cross-Origin-Opener-Policy', reply.getHeader('Cross-Origin-Opener-Policy') ?? 'same-origin')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(document)
}

function isBuiltIn(webDir: string): boolean {
  return existsSync(join(webDir, 'index.html'))
}
