import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { missingPage, pageRoutes } from './pages.ts'
import { BegunAnswers } from './reading/begun-answers.ts'
import { createHttpServer, type HttpServer } from './server.ts'

/** As Chromium asks when somebody types an address. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
/** A page that other sites open, where OAuth is on. */
const OPENED = ['/oauth/authorize']
const ROUTER = resolve(import.meta.dirname, '../../../web/src/router.tsx')

let webDir: string
const running: HttpServer[] = []

beforeAll(() => {
  webDir = mkdtempSync(join(tmpdir(), 'pages-'))
  mkdirSync(join(webDir, 'assets'))
  mkdirSync(join(webDir, 'pages'))
  writeFileSync(join(webDir, 'index.html'), documentWith(''))
  writeFileSync(join(webDir, 'pages/logs.html'), documentWith('logs.js'))
})
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop()
})
afterAll(() => rmSync(webDir, { recursive: true, force: true }))

const documentWith = (file: string) =>
  `<!doctype html><html><head><title>Tidemark</title><link rel="preload" as="script" crossorigin href="${file}"></head></html>`

type Asked = {
  accept?: string
  method?: 'GET' | 'HEAD' | 'POST'
  isBuilt?: boolean
  headers?: Record<string, string>
  opened?: string[]
  begun?: BegunAnswers
}

function ask(
  url: string,
  { accept, method = 'GET', isBuilt = true, headers = {}, opened = OPENED, begun }: Asked = {},
) {
  const dir = isBuilt ? webDir : join(webDir, 'nowhere')
  const server = createHttpServer({
    log: createLog('silent'),
    publicUrl: 'http://localhost:4700',
    urls: [],
    allowedHosts: [],
    missingPage: missingPage(dir),
  })
  running.push(server)
  server.routes.get('/api/known', async () => ({}))
  server.routes.post('/v1/logs', async () => ({}))
  pageRoutes(server.routes, { webDir: dir, opened, begun })
  return server.routes.inject({
    url,
    method,
    headers: { host: 'localhost', ...(accept === undefined ? {} : { accept }), ...headers },
  })
}

const UNKNOWN = ['/nothing', '/api/nothing', '/docs/nothing', '/projects/prj_1/nothing', '/projects/prj_1/logs/more']

describe('an unknown address', () => {
  it.each(UNKNOWN)('%s is a page with status 404 for a browser', async (url) => {
    const answer = await ask(url, { accept: BROWSER })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('text/html')
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.headers.vary).toContain('Accept')
    expect(answer.body).toContain('<title>Tidemark</title>')
  })

  it.each([undefined, '*/*', 'application/json', 'application/json, text/html;q=0.5', 'text/html;q=0'])(
    'is JSON for a program that accepts %s',
    async (accept) => {
      for (const url of UNKNOWN) {
        const answer = await ask(url, accept === undefined ? {} : { accept })
        expect([answer.statusCode, answer.json().error.code]).toEqual([404, 'not_found'])
      }
    },
  )

  it('has a whole page also for a browser that knows the page already', async () => {
    const headers = { 'if-modified-since': new Date().toUTCString(), 'if-none-match': '*' }
    const answer = await ask('/nothing', { accept: BROWSER, headers })
    expect([answer.statusCode, answer.body]).toEqual([404, expect.stringContaining('<title>')])
  })

  it('has the same head when only that is asked for', async () => {
    const answer = await ask('/nothing', { accept: BROWSER, method: 'HEAD' })
    expect(answer.statusCode).toBe(404)
    expect(answer.headers['content-type']).toContain('text/html')
  })

  it('is JSON where something is sent to it, where the method is wrong, and where no dashboard is built', async () => {
    const sent = await ask('/nothing', { accept: BROWSER, method: 'POST' })
    expect([sent.statusCode, sent.json().error.code]).toEqual([404, 'not_found'])
    const wrong = await ask('/v1/logs', { accept: BROWSER })
    expect([wrong.statusCode, wrong.json().error.code]).toEqual([405, 'method_not_allowed'])
    const unbuilt = await ask('/nothing', { accept: BROWSER, isBuilt: false })
    expect([unbuilt.statusCode, unbuilt.json().error.code]).toEqual([404, 'not_found'])
  })
})

describe('every page of the dashboard', () => {
  const paths = [
    ...readFileSync(ROUTER, 'utf8').matchAll(
      /^const (\w+) = createRoute\(\{\n {2}getParentRoute: \(\) => (\w+),\n {2}(?:path: '([^']*)')?/gm,
    ),
  ]
  const fullPath = (name: string): string => {
    const [, , parent, path = ''] = paths.find(([, route]) => route === name) ?? []
    return parent === undefined ? '' : `${fullPath(parent)}${path}`
  }
  // Without the one for everything else.
  const names = paths.filter(([, , , path]) => path !== '/$').map(([, name]) => name ?? '')
  const addresses = [...new Set(names.map((name) => fullPath(name).replace(/\/$/, '') || '/'))]

  it.each(addresses.map((path) => path.replace(/\$\w+/g, 'some-id')))('%s is there', async (url) => {
    expect((await ask(url, { accept: BROWSER })).statusCode).toBe(200)
    if (url !== '/') expect((await ask(url.replace(/$/, '?from=-1h'), { accept: '*/*' })).statusCode).toBe(200)
  })

  it('that another site opens may know who opened it, and is there only when it is asked for', async () => {
    const { headers } = await ask('/oauth/authorize?client_id=x')
    expect(headers['cross-origin-opener-policy']).toBe('unsafe-none')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
    expect((await ask('/sign-in')).headers['cross-origin-opener-policy']).toBe('same-origin')
    const off = await ask('/oauth/authorize?client_id=x', { opened: [] })
    expect([off.statusCode, off.json().error.code]).toEqual([404, 'not_found'])
  })

  it('names what it asks for first, so that the browser need not wait for a script to ask for it', async () => {
    const named = async (url: string) => {
      const { body, headers } = await ask(url, { accept: BROWSER })
      // Headers larger than a proxy takes would make the page unreachable.
      expect(headers.link).toBeUndefined()
      return [...body.matchAll(/<link rel="preload" as="fetch" crossorigin href="([^"]*)">/g)].map(([, path]) => path)
    }
    const logs = '/api/projects/prj_1/logs?query=a%3C%3Eb&#38;from=-1h&#38;limit=200'
    expect(await named('/projects/prj_1/logs?query=a%3C%3Eb')).toEqual(['/api/session', logs])
    expect(await named('/sign-in')).toEqual([])
    expect(await named('/projects/prj_1/nothing')).toEqual([])
    const long = await named(`/projects/prj_1/logs?query=${'a'.repeat(3_000)}`)
    expect(long[1]?.length).toBeGreaterThan(3_000)
  })

  it('names for a browser without a session nothing that needs one', async () => {
    const named = async (headers: Record<string, string>) => {
      const begun = new BegunAnswers({ tokenOf: (request) => request.headers.cookie })
      const { body } = await ask('/projects/prj_1/logs', { accept: BROWSER, headers, begun })
      return [...body.matchAll(/as="fetch" crossorigin href="([^"?]*)/g)].map(([, path]) => path)
    }
    expect(await named({})).toEqual(['/api/session'])
    expect(await named({ cookie: 'session' })).toEqual(['/api/session', '/api/projects/prj_1/logs'])
  })

  it('names its own files', async () => {
    expect((await ask('/projects/prj_1/logs?from=-1h', { accept: BROWSER })).body).toContain('href="logs.js"')
    expect((await ask('/projects/prj_1/deploys', { accept: BROWSER })).body).toContain('href=""')
    expect((await ask('/projects/prj_1/nothing', { accept: BROWSER })).body).toContain('href=""')
  })

  it.each(['"><script>alert(1)</script>', "'><b>", '<!--', '$&$`', '\u2028'])(
    'says in its document only what its address says: %s',
    async (text) => {
      for (const url of [
        `/projects/${encodeURIComponent(text)}/logs?query=${encodeURIComponent(text)}&environment=${text}`,
        `/projects/${text}/analyses/${text}?x=${text}`,
      ]) {
        const { body } = await ask(encodeURI(url).replaceAll('%22', '"').replaceAll('%3C', '<'), { accept: BROWSER })
        const without = body.replace(/<link rel="preload" as="fetch" crossorigin href="[^"<>]*">/g, '')
        expect([documentWith(''), documentWith('logs.js')]).toContain(without)
      }
    },
  )

  it('is known from its router', () => {
    expect(addresses).toContain('/projects/$projectId/analyses/$analysisId')
    expect(addresses.length).toBeGreaterThan(12)
  })
})
