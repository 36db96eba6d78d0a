import type { DeployAnswer } from '@tidemark/wire/deploys/deploy'
import { describe, expect, it } from 'vitest'
import { silentServer } from '../testing/http-server.ts'
import { INHERITED_NAMES } from '../testing/inherited-names.ts'
import { parseDeployInput } from '../verbs/deploys/deploy-input.ts'
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
  ])('"%s" is refused, for what is kept would lead elsewhere', async (url) => {
    const { status, body } = await send('{}', `,"url":"${url}"`)
    expect([status, body.error?.fields]).toEqual([400, [{ path: 'url', message: 'must be an http or https address' }]])
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
