import { mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLog } from '../log.ts'
import { packageRoutes } from './package-routes.ts'
import { createHttpServer } from './server.ts'

let dir: string
let routes: FastifyInstance

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tidemark-packages-'))
  const log = createLog('silent')
  routes = createHttpServer({ log, publicUrl: 'http://localhost:4700', urls: [], allowedHosts: [] }).routes
  packageRoutes(routes, { dir })
})

afterEach(async () => {
  await routes.close()
  rmSync(dir, { recursive: true })
})

function ask(url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  return routes.inject({ method, url, headers: { host: 'localhost', ...headers } })
}

describe('a package', () => {
  it.each(['sdk.tgz', 'cli.tgz'])('%s comes as it was packed', async (name) => {
    const bytes = Buffer.from([0x1f, 0x8b, 0, 255, 10])
    writeFileSync(join(dir, name), bytes)
    const answer = await ask(`/${name}`)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('application/gzip')
    expect(answer.rawPayload).toEqual(bytes)
  })

  it('is not sent again to who has it', async () => {
    writeFileSync(join(dir, 'sdk.tgz'), 'first')
    const etag = String((await ask('/sdk.tgz')).headers.etag)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`]) {
      const answer = await ask('/sdk.tgz', { 'if-none-match': header })
      expect([answer.statusCode, answer.payload, answer.headers.etag]).toEqual([304, '', etag])
    }
    expect((await ask('/sdk.tgz', { 'if-none-match': '"other"' })).statusCode).toBe(200)
  })

  it('is read anew after a build', async () => {
    const path = join(dir, 'sdk.tgz')
    writeFileSync(path, 'first')
    const first = await ask('/sdk.tgz')
    writeFileSync(path, 'other')
    utimesSync(path, new Date(), new Date(Date.now() + 5_000))
    const second = await ask('/sdk.tgz')
    expect([first.payload, second.payload]).toEqual(['first', 'other'])
    expect(second.headers.etag).not.toBe(first.headers.etag)
  })

  it('answers HEAD without a body', async () => {
    writeFileSync(join(dir, 'sdk.tgz'), 'first')
    const answer = await ask('/sdk.tgz', {}, 'HEAD')
    expect([answer.statusCode, answer.payload, answer.headers['content-length']]).toEqual([200, '', '5'])
  })

  it('that is not built is not found, and the answer says how to build it', async () => {
    const answer = await ask('/cli.tgz')
    expect(answer.statusCode).toBe(404)
    expect(answer.json().error.message).toBe(
      'The package cli.tgz is not built: run `npm run build` where the service runs.',
    )
  })
})
