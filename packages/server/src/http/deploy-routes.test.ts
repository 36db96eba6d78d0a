import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openControl } from '../control/open.ts'
import { openRedactionThreads } from '../redaction/redact-in-thread.ts'
import { silentServer } from '../testing/http-server.ts'
import { INHERITED_NAMES } from '../testing/inherited-names.ts'
import { bindAll } from '../verbs/bind-all.ts'
import { parseDeployInput } from '../verbs/deploys/deploy-input.ts'
import { recordDeploy } from '../verbs/deploys/record-deploy.ts'
import { deployRoutes } from './deploy-routes.ts'

/** The door over the check of its fields, which says what it would keep. */
async function send(metadata: string, others = '') {
  const { routes } = silentServer()
  deployRoutes(routes, {
    recordDeploy: async (body, problems) => {
      const input = parseDeployInput(body as Record<string, unknown>, Date.now(), problems)
      return { created: true, kept: input.metadata } as unknown as DeployAnswer
    },
  })
  const payload = `{"sha":"a","environment":"production","deployedAt":"2026-01-31T12:00:00Z","metadata":${metadata}${others}}`
  const headers = { 'content-type': 'application/json' }
  const answer = await routes.inject({ method: 'POST', url: '/v1/deploys', headers, payload })
  return { status: answer.statusCode, body: answer.json() }
}

describe('the address of a deploy', () => {
  it.each([
    ' https://example.com/run',
    'https://exam\\nple.com/',
    'https://example.com/\\u007f',
    'https:run',
    'https:/run',
    'http:\\\\example.com',
    'https:///example.com/run',
    'https://example.com/\\u202enur',
    'https://example.com/\\u2066run',
    'https://example.com/\\u200brun',
    'https://example.com/\\ufeffrun',
  ])('"%s" is refused, for what is kept would lead elsewhere', async (url) => {
    const { status, body } = await send('{}', `,"url":"${url}"`)
    const message = 'must be an http or https address without spaces or invisible characters'
    expect([status, body.error?.fields]).toEqual([400, [{ path: 'url', message }]])
  })

  it.each(['https://ada:hunter2@ci.example/run', 'https://token@ci.example/run'])(
    '"%s" is refused, for everybody in the project would see it',
    async (url) => {
      const { status, body } = await send('{}', `,"url":"${url}"`)
      const message = 'holds a name or a password: everybody in the project would see it, so leave it out'
      expect([status, body.error?.fields]).toEqual([400, [{ path: 'url', message }]])
      expect(body.error.message).toBe(`The deploy was not recorded: url ${message}.`)
    },
  )

  it('may begin with capitals', async () => {
    expect((await send('{}', ',"url":"HTTPS://example.com/run"')).status).toBe(201)
  })
})

describe('metadata of a deploy', () => {
  it.each([
    ['{"build":9007199254740993}', 'metadata.build'],
    ['{"build":{"sizes":[1,1e400]}}', 'metadata.build.sizes.1'],
    ['{"tiny":1e-400}', 'metadata.tiny'],
  ])('%s is refused with the path of the number and what to do', async (metadata, path) => {
    const { status, body } = await send(metadata)
    expect([status, body.error.fields]).toEqual([
      400,
      [{ path, message: 'is a number that would not be kept as it is: send it as text' }],
    ])
    expect(body.error.message).toContain(path)
  })

  it.each([
    ['{"__proto__":{"isAdmin":true}}', 'metadata.__proto__'],
    ['{"a":[{"__proto__":1}]}', 'metadata.a.0.__proto__'],
    ['{"constructor":{"prototype":{"isAdmin":true}}}', 'metadata.constructor.prototype'],
  ])('%s is refused by the name that is not taken', async (metadata, path) => {
    const { status, body } = await send(metadata)
    expect([status, body.error.fields]).toEqual([400, [{ path, message: 'is a reserved name: use another' }]])
  })

  it('is refused together with everything else that is wrong', async () => {
    const { body } = await send('{"a":1e400}', ',"status":"done"')
    expect(body.error.fields.map((field: { path: string }) => field.path)).toEqual(['status', 'metadata.a'])
  })

  it('may use every other name that objects have', async () => {
    const names = INHERITED_NAMES.filter((name) => name !== '__proto__')
    const metadata = Object.fromEntries(names.map((name) => [name, { a: 1 }]))
    expect(await send(JSON.stringify(metadata))).toMatchObject({ status: 201, body: { kept: metadata } })
  })

  it('keeps what a double keeps', async () => {
    const metadata = { size: 9007199254740992, ratio: 0.1, big: 1e300, text: '9007199254740993' }
    expect(await send(JSON.stringify(metadata))).toMatchObject({ status: 201, body: { kept: metadata } })
  })

  it('is alone concerned: fields that nobody reads may hold anything', async () => {
    expect((await send('{}', ',"note":1e400,"__proto__":{"sha":"b"}')).status).toBe(201)
  })
})

describe('a deploy with a key in a header', () => {
  it('is refused when that key is of another project, and recorded when it is not', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'tidemark-deploys-'))
    const control = await openControl({ databaseUrl: undefined, dataDir })
    onTestFinished(async () => {
      await control.close()
      rmSync(dataDir, { recursive: true })
    })
    const change = { by: 'test', nowMs: Date.now() }
    const keyOf = async (projectId: string, kind: 'ingest' | 'read') =>
      (await control.keys.create({ projectId, kind, name: kind, expiresAtMs: null }, change)).secret
    const shop = await control.projects.create({ name: 'shop', retentionDays: 30 }, change)
    const other = await control.projects.create({ name: 'other', retentionDays: 30 }, change)
    const projectApiKey = await keyOf(shop.id, 'ingest')
    const { routes } = silentServer()
    const redaction = openRedactionThreads()
    const parts = { control, redaction, publicUrl: 'http://localhost', now: Date.now, rates: { take: () => 0 } }
    deployRoutes(routes, bindAll(parts, { recordDeploy }))
    const answerTo = (headers: Record<string, string>) => {
      const payload = { projectApiKey, sha: 'a', environment: 'production', deployedAt: '2026-01-31T12:00:00Z' }
      return routes.inject({ method: 'POST', url: '/v1/deploys', headers, payload })
    }

    for (const key of [await keyOf(other.id, 'ingest'), await keyOf(other.id, 'read'), `${projectApiKey}x`]) {
      for (const headers of [{ authorization: `Bearer ${key}` }, { 'x-api-key': key }]) {
        const refused = await answerTo(headers)
        expect([refused.statusCode, refused.json().error.code]).toEqual([400, 'invalid_request'])
        expect(refused.json().error.message).toContain('Remove the header')
      }
    }
    const read = await keyOf(shop.id, 'read')
    for (const authorization of [`Bearer ${projectApiKey}`, `Bearer ${read}`, `Basic ${btoa('ada:secret')}`]) {
      expect((await answerTo({ authorization })).statusCode).toBe(201)
    }
  })
})
