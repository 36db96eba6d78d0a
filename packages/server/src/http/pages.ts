/** Serves the built dashboard under a policy that allows nothing but our own files. */
import { existsSync, readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import { readAddress } from '@tidemark/wire/dashboard/address'
import { SESSION_PATH } from '@tidemark/wire/dashboard/api-paths'
import { firstRequests } from '@tidemark/wire/dashboard/first-requests'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../errors.ts'
import { escapeHtml } from './documents/escape-html.ts'
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
const PAGES = ['/', '/sign-in', '/welcome', '/invitation', '/reset-password', '/account', '/projects', '/projects/*']

/** Of any page, and in this folder beside it of each page by its name. */
const DOCUMENT = 'index.html'
const DOCUMENTS_OF_PAGES = 'pages'

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
  const documentOf = documentsIn(webDir)
  for (const page of [...PAGES, ...opened]) {
    routes.get(page, async (request, reply) => {
      if (!isBuilt) throw new AppError('not_found', 'The dashboard is not built: run `npm run build`.')
      const { pathname, search } = splitUrl(request.url)
      const shown = readAddress(pathname, search)?.page
      if (page.endsWith('*') && !shown) return reply.callNotFound()
      // Of what needs a session a browser without one would only hear that, and say so in its console.
      const isSomebody = begun?.hasSession(request) ?? true
      const first = firstRequests(pathname, search).filter((path) => path === SESSION_PATH || isSomebody)
      for (const path of first) if (path !== SESSION_PATH) begun?.begin(routes, request, path)
      // Else the window would lose who opened it, also after it was sent back there.
      if (opened.includes(page)) reply.header('Cross-Origin-Opener-Policy', 'unsafe-none')
      return sendDocument(reply, await documentOf(shown?.name), first)
    })
  }
}

/**
 * What a browser gets at an address that leads nowhere: the dashboard, which says so and links back. Undefined when it
 * is not built.
 */
export function missingPage(webDir: string): MissingPage | undefined {
  if (!isBuiltIn(webDir)) return undefined
  const documentOf = documentsIn(webDir)
  return async (reply) => sendDocument(reply.code(404), await documentOf(undefined), [])
}

function splitUrl(url: string): { pathname: string; search: string } {
  const at = url.indexOf('?')
  return at < 0 ? { pathname: url, search: '' } : { pathname: url.slice(0, at), search: url.slice(at) }
}

/** The document of a page names the files of that page too. */
function documentsIn(webDir: string): (page: string | undefined) => Promise<string> {
  const folder = join(webDir, DOCUMENTS_OF_PAGES)
  const own = new Set(existsSync(folder) ? readdirSync(folder) : [])
  return (page) => {
    const name = `${page}.html`
    return readFile(own.has(name) ? join(folder, name) : join(webDir, DOCUMENT), 'utf8')
  }
}

/** `first` is sent by the browser as soon as the document begins to come; the page's first script takes the answers. */
async function sendDocument(reply: FastifyReply, document: string, first: readonly string[]): Promise<FastifyReply> {
  const links = first.map((path) => `<link rel="preload" as="fetch" crossorigin href="${escapeHtml(path)}">`)
  return reply
    .header('Content-Security-Policy', CONTENT_SECURITY_POLICY)
    .header('Cache-Control', 'no-store')
    .header('Cross-Origin-Opener-Policy', reply.getHeader('Cross-Origin-Opener-Policy') ?? 'same-origin')
    .header('Cross-Origin-Resource-Policy', 'same-origin')
    .type('text/html; charset=utf-8')
    .send(document.replace('<head>', (head) => head + links.join('')))
}

function isBuiltIn(webDir: string): boolean {
  return existsSync(join(webDir, DOCUMENT))
}
