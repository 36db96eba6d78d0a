import { mkdtempSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { MAX_SOURCE_MAP_BYTES } from '@tidemark/wire/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { authenticateIngest } from '../control/keys/authenticate.ts'
import { type Control, openControl } from '../control/open.ts'
import type { ProjectId } from '../model/project.ts'
import { mapBytes } from '../sourcemaps/testing/written-map.ts'
import { deferred } from '../testing/deferred.ts'
import { silentServer } from '../testing/http-server.ts'
import { openSourceMapUploads, type SourceMapUploads } from '../verbs/source-maps.ts'
import type { createHttpServer } from './server.ts'
import { sourceMapRoutes } from './source-map-routes.ts'

const change = { by: 'test', nowMs: Date.now() }
const MAP = mapBytes({ mappings: 'AAAA' })

let dataDir: string
let control: Control
let uploads: SourceMapUploads
let projectId: ProjectId
let secret: string
let keyId: string
let server: ReturnType<typeof createHttpServer>

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'source-map-routes-'))
  control = await openControl({ databaseUrl: undefined, dataDir })
  projectId = (await control.projects.create({ name: 'shop', retentionDays: 30 }, change)).id
  const made = await control.keys.create({ projectId, kind: 'ingest', name: 'ci', expiresAtMs: null }, change)
  secret = made.secret
  keyId = made.key.id
  uploads = openSourceMapUploads({ control, now: Date.now })
  server = silentServer()
  const requireKey = (headers: Record<string, string | string[] | undefined>) =>
    authenticateIngest(control.keys, String(headers.authorization ?? '').replace('Bearer ', '') || undefined)
  sourceMapRoutes(server.routes, { accept: { requireKey }, uploads })
})
afterEach(async () => {
  await server.stop()
  await control.close()
  rmSync(dataDir, { recursive: true, force: true })
})

async function put(body: Buffer, query: string = 'release=1.0&file=main.js', headers: Record<string, string> = {}) {
  const answer = await server.routes.inject({
    method: 'PUT',
    url: `/v1/sourcemaps?${query}`,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
    payload: body,
  })
  return { status: answer.statusCode, body: answer.json() }
}

describe('PUT /v1/sourcemaps', () => {
  it('answers 201 for a new map, 200 for the same again and for another in its place', async () => {
    expect(await put(MAP)).toEqual({
      status: 201,
      body: { result: 'created', release: '1.0', file: 'main.js', sources: 1, mappings: 1 },
    })
    expect(await put(gzipSync(MAP), undefined, { 'content-encoding': 'gzip' })).toMatchObject({
      status: 200,
      body: { result: 'unchanged' },
    })
    expect(await put(mapBytes({ mappings: 'AACA' }))).toMatchObject({ status: 200, body: { result: 'replaced' } })
    expect(await control.sourceMaps.listFiles(projectId, '1.0', { after: '', limit: 10 })).toHaveLength(1)
  })

  it('takes one name once: what is repeated or unknown is refused before anything is read', async () => {
    for (const query of ['release=1&release=2&file=a.js', 'release=1&file=a.js&file=b.js', 'file=a.js', 'release=1'])
      expect((await put(MAP, query)).status, query).toBe(400)
    expect((await put(MAP, 'release=1&file=..%2Fa.js')).body.error.fields).toMatchObject([{ path: 'file' }])
    expect((await put(MAP, `release=${'x'.repeat(300)}&file=a.js`)).status).toBe(400)
    expect((await put(Buffer.alloc(0))).body.error.message).toContain('The body is empty')
    expect(await control.sourceMaps.releases([projectId])).toEqual([])
  })

  it('is for the holders of a valid ingest key, asked anew for every request', async () => {
    const none = { authorization: 'Bearer tidemark_ingest_unknown' }
    expect((await put(MAP, undefined, none)).status).toBe(401)
    const read = await control.keys.create({ projectId, kind: 'read', name: 'r', expiresAtMs: null }, change)
    expect((await put(MAP, undefined, { authorization: `Bearer ${read.secret}` })).status).toBe(403)
    expect((await put(MAP)).status).toBe(201)
    await control.keys.revoke(keyId, change)
    expect((await put(MAP)).status).toBe(401)
  })

  it('refuses what is declared too large before its body, and what turns out so', async () => {
    const port = await server.listen('127.0.0.1', 0)
    const answer = await new Promise<{ status: number | undefined; sent: boolean }>((resolve, reject) => {
      let sent = false
      const asked = httpRequest({
        port,
        method: 'PUT',
        path: '/v1/sourcemaps?release=1&file=a.js',
        headers: {
          authorization: `Bearer ${secret}`,
          'content-length': MAX_SOURCE_MAP_BYTES + 1,
          expect: '100-continue',
        },
      })
      asked.on('continue', () => {
        sent = true
        asked.end('{}')
      })
      asked.on('response', (response) => {
        resolve({ status: response.statusCode, sent })
        asked.destroy()
      })
      asked.on('error', reject)
      asked.flushHeaders()
    })
    expect(answer).toEqual({ status: 413, sent: false })
    expect((await put(Buffer.from('[]'))).status).toBe(400)
  })

  it('refuses more at once with one key, and takes the next when they have ended', async () => {
    const caller = await authenticateIngest(control.keys, secret)
    const held = [uploads.begin(caller), uploads.begin(caller)]
    const refused = await put(MAP)
    expect(refused).toMatchObject({ status: 429, body: { error: { code: 'rate_limited' } } })
    for (const release of held) release()
    expect((await put(MAP)).status).toBe(201)
    // Also those that were refused gave their place back.
    for (let at = 0; at < 5; at++) expect((await put(Buffer.from('no map'))).status).toBe(400)
    expect((await put(MAP)).status).toBe(200)
  })

  it('keeps the place of a sender that goes while its map is read', async () => {
    const events: string[] = []
    const reading = deferred()
    const begun = deferred()
    const slow = silentServer('http://localhost')
    sourceMapRoutes(slow.routes, {
      accept: { requireKey: () => authenticateIngest(control.keys, secret) },
      uploads: {
        begin: () => () => events.push('given back'),
        upload: async () => {
          begun.resolve()
          await reading.promise
          events.push('read')
          throw new Error('nobody waits')
        },
      },
    })
    const gone = deferred()
    slow.routes.addHook('onRequest', async (_request, reply) => {
      reply.raw.once('close', () => gone.resolve())
    })
    const port = await slow.listen('127.0.0.1', 0)
    const asked = httpRequest({ port, method: 'PUT', path: '/v1/sourcemaps?release=1&file=a.js' })
    asked.on('error', () => {})
    asked.end('{}')
    await begun.promise
    asked.destroy()
    await gone.promise
    expect(events).toEqual([])
    reading.resolve()
    await expect.poll(() => events).toEqual(['read', 'given back'])
    await slow.stop()
  })

  it('takes nothing for a project that is deleted while the map is read', async () => {
    const caller = await authenticateIngest(control.keys, secret)
    await control.projects.delete(projectId, change)
    await expect(
      uploads.upload(caller, { release: '1', file: 'a.js', body: MAP, contentEncoding: '' }),
    ).rejects.toMatchObject({ code: 'unauthorized' })
  })
})
