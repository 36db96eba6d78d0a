import { createHmac } from 'node:crypto'
import { MAX_URL_CHARACTERS } from '@tidemark/wire/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { derivedSecret } from '../control/keys/key-secret.ts'
import type { Control } from '../control/open.ts'
import { openRedactionThreads } from '../redaction/redact-in-thread.ts'
import { controlBackends } from '../testing/control.ts'
import { silentServer } from '../testing/http-server.ts'
import { bindAll } from '../verbs/bind-all.ts'
import { recordAnnounced } from '../verbs/deploys/announced/record-announced.ts'
import { signingTokenOf } from '../verbs/signing-token.ts'
import type { HttpServer } from './server.ts'
import { MAX_WEBHOOK_BYTES, webhookRoutes } from './webhook-routes.ts'

const NOW = Date.parse('2026-11-15T12:10:00Z')
const SHA = '4f1c0de4f1c0de4f1c0de4f1c0de4f1c0de4f1c0'
const backend = controlBackends()[0]!
const change = { by: 'operator', nowMs: NOW }
const webhookSecretOf = (id: string) => derivedSecret('webhook', 'the key of this service', id)

let control: Control
let server: HttpServer
let project: string
let hook: { id: string; secret: string }
let other: { project: string; id: string; secret: string }
let count = 0

async function newHook(): Promise<{ project: string; id: string; secret: string }> {
  const made = await control.projects.create({ name: `Project ${count++}`, retentionDays: 30 }, change)
  const input = {
    projectId: made.id,
    kind: 'webhook',
    name: 'hook',
    expiresAtMs: null,
    secretOf: webhookSecretOf,
  } as const
  const { key, secret } = await control.keys.create(input, change)
  return { project: made.id, id: key.id, secret }
}

beforeAll(async () => {
  control = await backend.open()
})
afterAll(() => backend.close())
beforeEach(async () => {
  server = silentServer()
  const rates = { take: () => 0 }
  const parts = {
    control,
    redaction: openRedactionThreads(),
    rates,
    publicUrl: 'http://localhost:4700',
    now: () => NOW,
    webhookSecretOf,
  }
  webhookRoutes(server.routes, bindAll(parts, { recordAnnounced }))
  const made = await newHook()
  project = made.project
  hook = made
  other = await newHook()
})
afterEach(() => server.routes.close())

type Event = Record<string, unknown>

/** The shape of GitHub's documents, with what is not looked at left in where it could be mistaken. */
const github = (status: Event = {}, deployment: Event = {}): Event => ({
  action: 'created',
  deployment_status: {
    id: 51,
    state: 'success',
    description: 'Deployment finished successfully.',
    environment: 'production',
    target_url: '',
    log_url: 'https://github.com/acme/shop/actions/runs/9/job/3',
    created_at: '2026-11-15T12:00:30Z',
    updated_at: '2026-11-15T12:00:30Z',
    creator: { login: 'github-actions[bot]', id: 2 },
    ...status,
  },
  deployment: {
    id: 1_000_000_007,
    sha: SHA,
    ref: 'main',
    task: 'deploy',
    payload: {},
    environment: 'production',
    description: null,
    creator: { login: 'ada', id: 1 },
    created_at: '2026-11-15T11:58:00Z',
    ...deployment,
  },
  repository: { id: 7, full_name: 'acme/shop', html_url: 'https://github.com/acme/shop' },
  sender: { login: 'ada' },
})

const gitlab = (more: Event = {}): Event => ({
  object_kind: 'deployment',
  status: 'success',
  status_changed_at: '2026-11-15 13:00:30 +0100',
  deployment_id: 15,
  deployable_id: 796,
  deployable_url: 'https://gitlab.example/acme/shop/-/jobs/796',
  environment: 'staging',
  environment_slug: 'staging',
  environment_external_url: 'https://staging.example',
  project: { id: 30, web_url: 'https://gitlab.example/acme/shop', path_with_namespace: 'acme/shop' },
  short_sha: SHA.slice(0, 8),
  user: { id: 1, name: 'Ada', username: 'ada' },
  commit_url: `https://gitlab.example/acme/shop/-/commit/${SHA}`,
  commit_title: 'Empty carts are fine',
  ref: 'main',
  ...more,
})

type Sent = { id?: string; headers?: Record<string, string | undefined>; payload: string }
async function post(from: 'github' | 'gitlab', { id = hook.id, headers = {}, payload }: Sent) {
  const given = Object.entries({ host: 'localhost', 'content-type': 'application/json', ...headers })
  const answer = await server.routes.inject({
    method: 'POST',
    url: `/v1/deploys/${from}/${id}`,
    headers: Object.fromEntries(given.filter((pair): pair is [string, string] => pair[1] !== undefined)),
    payload,
  })
  return { status: answer.statusCode, body: answer.json() }
}

const signed = (payload: string, secret = hook.secret) =>
  `sha256=${createHmac('sha256', secret).update(payload).digest('hex')}`
const fromGithub = (event: Event, { name = 'deployment_status', headers = {} as Event } = {}) => {
  const payload = JSON.stringify(event)
  return post('github', {
    payload,
    headers: { 'x-github-event': name, 'x-hub-signature-256': signed(payload), ...headers },
  })
}
const fromGitlab = (event: Event, headers: Event = { 'x-gitlab-token': hook.secret }) =>
  post('gitlab', { payload: JSON.stringify(event), headers: { 'x-gitlab-event': 'Deployment Hook', ...headers } })
const deploys = (of = project) => control.deploys.list(of as never, { limit: 10 })

describe('a deployment status of GitHub', () => {
  it('is recorded as a deploy', async () => {
    const { status, body } = await fromGithub(github())
    expect(status).toBe(201)
    expect(body).toMatchObject({
      created: true,
      deploy: {
        sha: SHA,
        environment: 'production',
        deployedAt: '2026-11-15T12:00:30Z',
        status: 'succeeded',
        ref: 'main',
        message: 'Deployment finished successfully.',
        author: 'ada',
        externalId: 'github:acme/shop:1000000007',
        url: 'https://github.com/acme/shop/actions/runs/9/job/3',
      },
    })
  })

  it('keeps an address of the length that POST /v1/deploys takes, and takes the next for a longer one', async () => {
    const longest = `https://ci.example/${'x'.repeat(MAX_URL_CHARACTERS - 19)}`
    expect((await fromGithub(github({ log_url: longest }))).body.deploy.url).toBe(longest)
    const { body } = await fromGithub(github({ log_url: `${longest}x` }))
    expect(body.deploy.url).toBe('https://github.com/acme/shop')
  })

  it('takes the next address for one that a page would read as a part of itself', async () => {
    for (const log_url of ['https:run', 'https:/run']) {
      expect((await fromGithub(github({ log_url }))).body.deploy.url).toBe('https://github.com/acme/shop')
    }
  })

  it('leaves out an address with a password, which everybody would see, and takes the next', async () => {
    const log_url = 'https://ada:hunter2@ci.example/runs/9'
    const only = { ...github({ log_url }), repository: { full_name: 'acme/shop', html_url: 'https://ada@ci.example/' } }
    expect(await fromGithub(only)).toMatchObject({ status: 201, body: { deploy: { url: null } } })
    expect((await fromGithub(github({ log_url }))).body.deploy.url).toBe('https://github.com/acme/shop')
  })

  it('that is delivered again is the same deploy', async () => {
    await fromGithub(github())
    expect(await fromGithub(github())).toMatchObject({ status: 200, body: { created: false } })
    expect(await deploys()).toHaveLength(1)
  })

  it.each([
    ['failure', 'failed'],
    ['error', 'failed'],
  ])('of state %s is recorded as %s, until it succeeds', async (state, status) => {
    expect((await fromGithub(github({ state }))).body.deploy.status).toBe(status)
    await fromGithub(github({ state: 'success', created_at: '2026-11-15T12:05:00Z' }))
    expect(await deploys()).toMatchObject([{ status: 'succeeded' }])
  })

  it('that is replayed does not undo a later one', async () => {
    await fromGithub(github({ created_at: '2026-11-15T12:05:00Z' }))
    const replayed = await fromGithub(github({ state: 'failure' }))
    expect(replayed).toEqual({ status: 202, body: { ignored: true, reason: expect.stringContaining('later status') } })
    expect(await deploys()).toMatchObject([{ status: 'succeeded' }])
  })

  it('does not undo a later one that comes at the same moment, or while another deploy bears its name', async () => {
    const namesake = { sha: 'github:acme/shop:1000000007', environment: 'production', deployedAtUs: NOW * 1_000 }
    await control.deploys.record(project as never, namesake, NOW)
    await Promise.all([
      fromGithub(github({ created_at: '2026-11-15T12:05:00Z' })),
      ...['failure', 'error', 'failure'].map((state) => fromGithub(github({ state }))),
    ])
    expect((await fromGithub(github({ state: 'failure' }))).status).toBe(202)
    expect(await deploys()).toMatchObject([{ sha: namesake.sha }, { sha: SHA, status: 'succeeded' }])
  })

  it.each(['pending', 'queued', 'in_progress', 'inactive', 'waiting', 'constructor', ''])(
    'of state "%s" is ignored, and says so',
    async (state) => {
      const { status, body } = await fromGithub(github({ state }))
      expect([status, body]).toEqual([202, { ignored: true, reason: 'The deployment has not ended with this status.' }])
      expect(await deploys()).toEqual([])
    },
  )

  it.each(['ping', 'push', 'deployment'])('is not the event %s, which is ignored with a reason', async (name) => {
    const { status, body } = await fromGithub({ zen: 'Keep it logically awesome.' }, { name })
    expect([status, body.ignored, body.reason.length > 10]).toEqual([202, true, true])
  })
})

describe('a deployment event of GitLab', () => {
  const deploy = {
    sha: SHA,
    environment: 'staging',
    deployedAt: '2026-11-15T12:00:30Z',
    status: 'succeeded',
    ref: 'main',
    message: 'Empty carts are fine',
    author: 'ada',
    externalId: 'gitlab:acme/shop:15',
    url: 'https://gitlab.example/acme/shop/-/jobs/796',
  }
  const signature = (event: Event, { id = 'msg_1', at = NOW / 1_000, secret = hook.secret } = {}) => {
    const key = Buffer.from(signingTokenOf(secret).slice(6), 'base64')
    const hmac = createHmac('sha256', key)
      .update(`${id}.${at}.${JSON.stringify(event)}`)
      .digest('base64')
    return { 'webhook-id': id, 'webhook-timestamp': String(at), 'webhook-signature': `v1,${hmac}` }
  }

  it('is recorded as a deploy when it shows the secret', async () => {
    expect(await fromGitlab(gitlab())).toMatchObject({ status: 201, body: { deploy } })
    expect(await fromGitlab(gitlab())).toMatchObject({ status: 200 })
    expect(await deploys()).toHaveLength(1)
  })

  it('is recorded as a deploy when it is signed', async () => {
    expect(await fromGitlab(gitlab(), signature(gitlab()))).toMatchObject({ status: 201, body: { deploy } })
  })

  it.each([
    ['long ago', { at: NOW / 1_000 - 301 }],
    ['in the future', { at: NOW / 1_000 + 301 }],
    ['with the key of another project', { secret: 'tidemark_webhook_other' }],
  ])('that was signed %s is refused', async (_, how) => {
    expect((await fromGitlab(gitlab(), signature(gitlab(), how))).status).toBe(401)
  })

  it('with a signature that is wrong is refused, whatever else it shows', async () => {
    const wrong = { ...signature(gitlab({ status: 'failed' })), 'x-gitlab-token': hook.secret }
    expect((await fromGitlab(gitlab(), wrong)).status).toBe(401)
    expect((await fromGitlab(gitlab(), { ...signature(gitlab()), 'webhook-id': 'msg_2' })).status).toBe(401)
    expect(await deploys()).toEqual([])
  })

  it.each([
    ['failed', 'failed'],
    ['canceled', 'cancelled'],
  ])('of status %s is recorded as %s', async (status, recorded) => {
    expect((await fromGitlab(gitlab({ status }))).body.deploy.status).toBe(recorded)
  })

  it.each(['created', 'running', 'blocked', 'skipped'])('of status %s is ignored, and says so', async (status) => {
    expect(await fromGitlab(gitlab({ status }))).toMatchObject({ status: 202, body: { ignored: true } })
  })

  it('is not another event, which is ignored', async () => {
    expect(await fromGitlab({ object_kind: 'pipeline' })).toMatchObject({ status: 202, body: { ignored: true } })
  })

  it('whose commit has another address has the short revision', async () => {
    const { body } = await fromGitlab(gitlab({ commit_url: 'https://gitlab.example/x/-/commit/ffff' }))
    expect(body.deploy.sha).toBe(SHA.slice(0, 8))
  })
})

describe('what is not signed with the key that the address names', () => {
  const payload = JSON.stringify(github())
  const event = { 'x-github-event': 'deployment_status' }

  it.each<[string, () => Sent]>([
    ['no signature', () => ({ payload, headers: event })],
    ['an empty signature', () => ({ payload, headers: { ...event, 'x-hub-signature-256': '' } })],
    ['a signature that is no hex', () => ({ payload, headers: { ...event, 'x-hub-signature-256': 'sha256=zz' } })],
    ['the older signature alone', () => ({ payload, headers: { ...event, 'x-hub-signature': signed(payload) } })],
    [
      'a signature of other bytes',
      () => ({ payload: `${payload} `, headers: { ...event, 'x-hub-signature-256': signed(payload) } }),
    ],
    [
      'the secret itself',
      () => ({ payload, headers: { ...event, 'x-hub-signature-256': hook.secret, 'x-gitlab-token': hook.secret } }),
    ],
    [
      'the signature of an empty secret',
      () => ({ payload, headers: { ...event, 'x-hub-signature-256': signed(payload, '') } }),
    ],
    [
      'the key of another project',
      () => ({ payload, headers: { ...event, 'x-hub-signature-256': signed(payload, other.secret) } }),
    ],
    [
      'the address of another project',
      () => ({ id: other.id, payload, headers: { ...event, 'x-hub-signature-256': signed(payload) } }),
    ],
    [
      'an unknown key',
      () => ({ id: 'key_none', payload, headers: { ...event, 'x-hub-signature-256': signed(payload) } }),
    ],
    [
      'a key that was never made',
      () => ({
        id: 'key_none',
        payload,
        headers: { ...event, 'x-hub-signature-256': signed(payload, webhookSecretOf('key_none')) },
      }),
    ],
    ['no body', () => ({ payload: '', headers: { ...event, 'x-hub-signature-256': signed(payload) } })],
  ])('is refused: %s', async (_, sent) => {
    const { status, body } = await post('github', sent())
    expect([status, body.error.code]).toEqual([401, 'unauthorized'])
    expect(JSON.stringify(body)).not.toContain(hook.secret)
    expect([...(await deploys()), ...(await deploys(other.project))]).toEqual([])
  })

  it.each([{}, { 'x-gitlab-token': '' }, { 'x-gitlab-token': 'wrong' }])(
    'is refused of GitLab: %j',
    async (headers) => {
      expect((await fromGitlab(gitlab(), headers)).status).toBe(401)
    },
  )

  it('does not count as a use of the key', async () => {
    await post('github', { payload, headers: event })
    expect((await control.keys.list(project))[0]?.lastUsedAt).toBeNull()
  })

  it('is refused from the next request on once the key was revoked', async () => {
    expect((await fromGithub(github())).status).toBe(201)
    await control.keys.revoke(hook.id, change)
    expect((await fromGithub(github())).status).toBe(401)
  })

  it('is refused with an ingest key in its place', async () => {
    const input = {
      projectId: project,
      kind: 'ingest',
      name: 'x',
      expiresAtMs: null,
      secretOf: webhookSecretOf,
    } as const
    const { key, secret } = await control.keys.create(input, change)
    const sent = { id: key.id, payload, headers: { ...event, 'x-hub-signature-256': signed(payload, secret) } }
    expect((await post('github', sent)).status).toBe(401)
  })
})

describe('what is signed and still no deploy', () => {
  it.each<[string, string, number]>([
    ['no JSON', 'payload=%7B%7D', 400],
    ['bytes that are not UTF-8', '\uFFFF{', 400],
    ['a list', '[]', 202],
    ['null', 'null', 202],
    ['an event without its parts', '{"action":"created"}', 202],
    ['no sha', JSON.stringify(github({}, { sha: undefined })), 400],
    ['a sha that is no text', JSON.stringify(github({}, { sha: 7 })), 400],
    ['an environment that is too long', JSON.stringify(github({ environment: 'x'.repeat(300) })), 400],
    ['a time that is none', JSON.stringify(github({ created_at: 'yesterday' })), 400],
    ['a time far ahead', JSON.stringify(github({ created_at: '2099-01-01T00:00:00Z' })), 400],
    ['an author with NUL', JSON.stringify(github({}, { creator: { login: 'a\0b' } })), 400],
  ])('is answered and not recorded: %s', async (_, payload, expected) => {
    const headers = { 'x-github-event': 'deployment_status', 'x-hub-signature-256': signed(payload) }
    expect((await post('github', { payload, headers })).status).toBe(expected)
    expect(await deploys()).toEqual([])
  })

  it('is a form, which GitHub can send as well', async () => {
    const payload = 'payload=%7B%7D'
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'x-hub-signature-256': signed(payload) }
    const { status, body } = await post('github', { payload, headers })
    expect([status, body.error.message]).toEqual([415, expect.stringContaining('application/json')])
  })

  it('is a body that is too large, which is not received', async () => {
    const { status } = await post('github', { payload: 'x'.repeat(MAX_WEBHOOK_BYTES + 1) })
    expect(status).toBe(413)
  })
})
