import { createHash, randomBytes } from 'node:crypto'
import { DAY_MS } from '@tidemark/wire/time/units'
import * as oauth from 'oauth4webapi'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import { controlBackends } from '../../testing/control.ts'
import { testPeople } from '../../testing/people.ts'
import { fakeReading } from '../../testing/reading.ts'
import { TokenBuckets } from '../../token-buckets.ts'
import { SCOPE } from '../../verbs/oauth/oauth-parts.ts'
import { openOAuth } from '../../verbs/open-oauth.ts'
import { peopleRoutes } from '../people/people-routes.ts'
import { createHttpServer, type HttpServer } from '../server.ts'
import { resourceMetadataRoutes, serverMetadataRoutes } from './metadata-routes.ts'
import { oauthRoutes } from './oauth-routes.ts'

const ISSUER = 'https://logs.example.com'
const RESOURCE = `${ISSUER}/mcp`
const REDIRECT = 'https://client.example/callback'
const DOCUMENT = 'https://client.example/client.json'
const backend = controlBackends()[0]!
let control: Control
let server: HttpServer
let as: oauth.AuthorizationServer
let now = Date.now()
let documents: Record<string, unknown> = {}
let count = 0

beforeAll(async () => {
  control = await backend.open()
})
beforeEach(async () => {
  now = Date.now()
  documents = {}
  server = open()
  const found = await oauth.discoveryRequest(new URL(ISSUER), { algorithm: 'oauth2', ...asClient })
  as = await oauth.processDiscoveryResponse(new URL(ISSUER), found)
})
afterEach(() => server.stop())
afterAll(() => backend.close())

/** The doors as the service opens them, over a real control store; the records and the web around it are made up. */
function open(): HttpServer {
  const log = pino({ level: 'silent' })
  const made = createHttpServer({ log, publicUrl: ISSUER, urls: [], allowedHosts: [] })
  const verbs = openOAuth({
    ...{ control, now: () => now, issuer: ISSUER, resource: RESOURCE, rates: new TokenBuckets() },
    fetchDocument: async ({ href }) => {
      if (href in documents) return documents[href]
      throw new AppError('invalid_request', 'The document could not be read.')
    },
  })
  const people = testPeople(control, ISSUER)
  peopleRoutes(made.routes, { people, reading: fakeReading(), oauth: verbs, publicUrl: ISSUER })
  const addresses = { issuer: ISSUER, resource: RESOURCE, scope: SCOPE }
  resourceMetadataRoutes(made.routes, addresses)
  serverMetadataRoutes(made.routes, addresses)
  oauthRoutes(made.routes, { oauth: verbs, log })
  return made
}

/** How an independent client reaches it: by its public address, through no network. */
const asClient = {
  [oauth.customFetch]: async (url: string, { method, headers, body }: oauth.CustomFetchOptions<string, unknown>) => {
    const answer = await server.routes.inject({
      method: method as 'GET',
      url: url.slice(ISSUER.length),
      headers: { ...(headers as Record<string, string>), host: new URL(url).host },
      ...(body === undefined ? {} : { payload: String(body) }),
    })
    return new Response(answer.statusCode === 204 ? null : answer.body, {
      status: answer.statusCode,
      headers: answer.headers as Record<string, string>,
    })
  },
}

async function newPerson(role: 'owner' | 'member' | 'viewer' = 'member') {
  count += 1
  const change = { by: 'operator', nowMs: Date.now() }
  const input = { email: `p${count}@example.com`, name: 'P', role: 'member', passwordHash: null } as const
  const person = await control.accounts.create(input, change)
  const project = await control.projects.create({ name: `Project ${count}`, retentionDays: 30 }, change)
  await control.members.add(project.id, person.id, role, change)
  const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
  return { person, project, token: await control.sessions.open(session, Date.now()) }
}

async function register(metadata: Record<string, unknown> = {}) {
  const payload = { client_name: 'Claude', redirect_uris: [REDIRECT], ...metadata }
  return server.routes.inject({ method: 'POST', url: '/oauth/register', payload })
}

async function newClient(): Promise<string> {
  return (await register()).json().client_id
}

const VERIFIER = randomBytes(32).toString('base64url')

function requestOf(clientId: string, more: Record<string, string> = {}): string {
  return new URLSearchParams({
    ...{ client_id: clientId, redirect_uri: REDIRECT, response_type: 'code', state: 'a state', resource: RESOURCE },
    code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  }).toString()
}

type Post = { token?: string | undefined; headers?: Record<string, string> }

function post(path: string, payload: object, { token, headers = {} }: Post = {}) {
  const cookie = token === undefined ? {} : { cookie: `__Host-tidemark=${token}` }
  const own = { 'x-requested-with': 'tidemark', ...cookie, ...headers }
  return server.routes.inject({ method: 'POST', url: path, headers: own, payload })
}

/** The answer of the consent page, and where it leads. */
async function consent(request: string, { token, project }: { token?: string; project: { id: string } }) {
  const input = { request, projectId: project.id, name: 'My agent', expiresIn: '90d' }
  return post('/api/oauth/consent', input, { token })
}

async function codeFor(clientId: string, person: Awaited<ReturnType<typeof newPerson>>): Promise<string> {
  const { returnTo } = (await consent(requestOf(clientId), person)).json()
  return new URL(returnTo).searchParams.get('code') ?? ''
}

function redeem(clientId: string, code: string, more: Record<string, string | string[]> = {}) {
  const form = new URLSearchParams()
  const fields = { grant_type: 'authorization_code', code, client_id: clientId, code_verifier: VERIFIER, ...more }
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value)
  return server.routes.inject({
    method: 'POST',
    url: '/oauth/token',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: form.toString(),
  })
}

describe('an independent client', () => {
  it('finds its way from the resource to a key, and gives it back', async () => {
    const resource = await oauth.resourceDiscoveryRequest(new URL(RESOURCE), asClient)
    const described = await oauth.processResourceDiscoveryResponse(new URL(RESOURCE), resource)
    expect(described).toMatchObject({ resource: RESOURCE, authorization_servers: [ISSUER], scopes_supported: ['read'] })

    const asked = { client_name: 'Claude', redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' }
    const registered = await oauth.dynamicClientRegistrationRequest(as, asked, asClient)
    const client = await oauth.processDynamicClientRegistrationResponse(registered)
    expect(client).toMatchObject({ token_endpoint_auth_method: 'none', client_name: 'Claude' })
    expect(client.client_secret).toBe(undefined)

    const verifier = oauth.generateRandomCodeVerifier()
    const challenge = await oauth.calculatePKCECodeChallenge(verifier)
    const state = oauth.generateRandomState()
    const person = await newPerson()
    const request = requestOf(client.client_id, { code_challenge: challenge, state, scope: 'read offline_access' })
    const { returnTo } = (await consent(request, person)).json()
    // Checks `state` and `iss`.
    const answer = oauth.validateAuthResponse(as, client, new URL(returnTo), state)
    const exchange = await oauth.authorizationCodeGrantRequest(
      ...([as, client, oauth.None(), answer, REDIRECT, verifier] as const),
      { ...asClient, additionalParameters: { resource: RESOURCE } },
    )
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, exchange)
    expect(tokens).toMatchObject({ token_type: 'bearer', scope: 'read' })
    expect(tokens.expires_in).toBe((90 * DAY_MS) / 1_000)
    expect(tokens.refresh_token).toBe(undefined)

    const [key] = await control.keys.list(person.project.id)
    expect(key).toMatchObject({ kind: 'read', name: 'My agent', createdBy: person.person.id, revokedAt: null })
    expect(key?.client).toEqual({ id: client.client_id, name: 'Claude', host: 'client.example' })
    expect(await control.keys.authenticate(tokens.access_token)).toMatchObject({ status: 'ok' })

    const revocation = await oauth.revocationRequest(as, client, oauth.None(), tokens.access_token, asClient)
    await oauth.processRevocationResponse(revocation)
    expect(await control.keys.authenticate(tokens.access_token)).toEqual({ status: 'revoked' })
  })

  it('may be known by a document at its own address, and is then not registered', async () => {
    documents[DOCUMENT] = { client_id: DOCUMENT, client_name: 'Claude', redirect_uris: [REDIRECT, 'claude://callback'] }
    const person = await newPerson()
    const preview = (await post('/api/oauth/preview', { request: requestOf(DOCUMENT) }, person)).json()
    expect(preview).toMatchObject({
      client: { name: 'Claude', host: 'client.example', isLocal: false, documentHost: 'client.example' },
      problem: null,
    })
    const code = await codeFor(DOCUMENT, person)
    expect((await redeem(DOCUMENT, code)).statusCode).toBe(200)
    expect((await control.keys.list(person.project.id))[0]?.client?.id).toBe(DOCUMENT)
  })

  it.each<[string, string, unknown]>([
    ['is missing', DOCUMENT, undefined],
    ['is about another client', DOCUMENT, { client_id: `${DOCUMENT}?`, redirect_uris: [REDIRECT] }],
    ['has no redirect URIs', DOCUMENT, { client_id: DOCUMENT }],
    [
      'wants a shared secret',
      DOCUMENT,
      {
        client_id: DOCUMENT,
        redirect_uris: [REDIRECT],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    ['has no path', 'https://client.example/', { client_id: 'https://client.example/', redirect_uris: [REDIRECT] }],
    ['is written in two ways', 'https://client.example/a/../b', { redirect_uris: [REDIRECT] }],
  ])('whose document %s is refused on the page', async (_, id, document) => {
    if (document !== undefined) documents[id] = document
    const answer = await post('/api/oauth/preview', { request: requestOf(id) }, await newPerson())
    expect(answer.statusCode).toBe(400)
    expect(answer.json().refuseTo).toBe(undefined)
  })
})

describe('a registration', () => {
  it('answers with what counts here, whatever else was asked for', async () => {
    const asked = {
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'client_secret_post',
    }
    const answer = await register({ ...asked, scope: 'admin', logo_uri: 'https://client.example/logo.png' })
    expect(answer.statusCode).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.json()).toEqual({
      client_id: expect.stringMatching(/^cli_/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Claude',
      redirect_uris: [REDIRECT],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: 'read',
    })
  })

  it.each([
    ['http on another machine', 'http://client.example/callback'],
    ['a scheme of its own', 'client://callback'],
    ['script', 'javascript:alert(1)'],
    ['a name that begins like loopback', 'http://localhost.evil.example/callback'],
    ['a password that looks like a host', 'https://claude.ai@evil.example/callback'],
    ['a fragment', 'https://client.example/callback#x'],
    ['a backslash', 'https://client.example\\@evil.example/'],
    ['a line break', 'https://client.example/\nx'],
    ['no address', 'callback'],
    ['without a host after the slashes', 'https:///client.example/callback'],
  ])('with a redirect URI that is %s is refused', async (_, uri) => {
    const answer = await register({ redirect_uris: [REDIRECT, uri] })
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toMatchObject({
      error: 'invalid_redirect_uri',
      error_description: expect.stringMatching(/^redirect_uris\.1 /),
    })
  })

  it.each([
    ['no redirect URI', { redirect_uris: [] }],
    ['too many of them', { redirect_uris: Array(21).fill(REDIRECT) }],
    ['a name without end', { client_name: 'x'.repeat(1_001) }],
    ['another grant', { grant_types: ['client_credentials'] }],
    ['another response', { response_types: ['token'] }],
  ])('with %s is refused', async (_, metadata) => {
    const answer = await register(metadata)
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_client_metadata'])
  })

  it('makes of the name one line in which nothing hides, or takes the host', async () => {
    const names = ['  Cla\u202eude\u0000\n\tAI ', '\u200b', undefined, '🌊'.repeat(200)]
    const made = await Promise.all(
      names.map(async (name) => (await register({ client_name: name })).json().client_name),
    )
    expect(made).toEqual(['Claude AI', 'client.example', 'client.example', '🌊'.repeat(100)])
  })

  it('is refused when it is too large, not JSON, or comes too often', async () => {
    const large = await register({ client_uri: 'x'.repeat(40_000) })
    expect([large.statusCode, large.json().error]).toEqual([413, 'invalid_request'])
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const form = await server.routes.inject({ method: 'POST', url: '/oauth/register', headers, payload: 'a=b' })
    expect([form.statusCode, form.json().error]).toEqual([415, 'invalid_request'])
    const answers = await Promise.all(Array.from({ length: 31 }, () => register()))
    const last = answers.at(-1)
    expect([last?.statusCode, last?.json().error]).toEqual([429, 'temporarily_unavailable'])
    expect(Number(last?.headers['retry-after'])).toBeGreaterThan(0)
    now += 60_000
    expect((await register()).statusCode).toBe(201)
  })
})

describe('the consent page', () => {
  it('learns who asks, and where a no leads', async () => {
    const preview = await post('/api/oauth/preview', { request: requestOf(await newClient()) }, await newPerson())
    const { client, problem, refuseTo } = preview.json()
    expect({ client, problem }).toEqual({
      client: { name: 'Claude', host: 'client.example', isLocal: false, documentHost: null },
      problem: null,
    })
    expect(Object.fromEntries(new URL(refuseTo).searchParams)).toEqual({
      error: 'access_denied',
      error_description: 'The person declined.',
      state: 'a state',
      iss: ISSUER,
    })
  })

  it.each<[string, string, Record<string, string>]>([
    ['an unknown client', 'cli_unknown', {}],
    ['no client', '', {}],
    ['another redirect URI', 'own', { redirect_uri: 'https://evil.example/callback' }],
    ['a longer redirect URI', 'own', { redirect_uri: `${REDIRECT}/more` }],
    ['a redirect URI with a query', 'own', { redirect_uri: `${REDIRECT}?next=x` }],
    ['no redirect URI', 'own', { redirect_uri: '' }],
  ])('sends nobody anywhere for %s', async (_, id, more) => {
    const request = requestOf(id === 'own' ? await newClient() : id, more)
    const person = await newPerson()
    for (const answer of [await post('/api/oauth/preview', { request }, person), await consent(request, person)]) {
      expect([400, 404]).toContain(answer.statusCode)
      expect(Object.keys(answer.json())).toEqual(['error'])
    }
  })

  it('takes any port of a loopback address that the client registered, and nothing else of it', async () => {
    const uris = ['http://127.0.0.1/callback', 'http://localhost:1/callback', 'http://[::1]:9/callback']
    const { client_id: id } = (await register({ redirect_uris: uris })).json()
    const person = await newPerson()
    const ask = async (uri: string) =>
      (await post('/api/oauth/preview', { request: requestOf(id, { redirect_uri: uri }) }, person)).statusCode
    for (const uri of ['http://127.0.0.1:51234/callback', 'http://localhost:51234/callback', 'http://[::1]/callback']) {
      expect(await ask(uri)).toBe(200)
    }
    const other = ['http://127.0.0.1:51234/other', 'http://127.0.0.2/callback', 'https://127.0.0.1/callback']
    for (const uri of [...other, 'http://127.0.0.1:99999/callback', 'http://127.0.0.1:1@evil.example/callback']) {
      expect(await ask(uri)).toBe(400)
    }
  })

  it.each<[string, Record<string, string>, string]>([
    ['the implicit flow', { response_type: 'token' }, 'unsupported_response_type'],
    ['a fragment', { response_mode: 'fragment' }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['no PKCE method', { code_challenge_method: '' }, 'invalid_request'],
    ['no challenge', { code_challenge: '' }, 'invalid_request'],
    ['a challenge that is no SHA-256', { code_challenge: 'short' }, 'invalid_request'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['the whole host', { resource: ISSUER }, 'invalid_target'],
    ['no resource', { resource: '' }, 'invalid_target'],
  ])('shows what is wrong with %s, tells the client only by a click, and gives no code', async (_, wrong, error) => {
    const request = requestOf(await newClient(), wrong)
    const person = await newPerson()
    const { problem, refuseTo } = (await post('/api/oauth/preview', { request }, person)).json()
    const { searchParams } = new URL(refuseTo)
    expect([searchParams.get('error'), searchParams.get('iss'), searchParams.get('state')]).toEqual([
      ...[error, ISSUER, 'a state'],
    ])
    expect(searchParams.get('error_description')).toBe(problem)
    expect((await consent(request, person)).statusCode).toBe(400)
  })

  it('refuses a parameter that is given twice: two readers could take one each', async () => {
    const request = `${requestOf(await newClient())}&resource=https://evil.example/mcp`
    const { problem } = (await post('/api/oauth/preview', { request }, await newPerson())).json()
    expect(problem).toContain('resource is given more than once')
    const twice = `${requestOf(await newClient())}&redirect_uri=https://evil.example/`
    expect((await post('/api/oauth/preview', { request: twice }, await newPerson())).statusCode).toBe(400)
  })

  it('takes a yes only of somebody who may make keys of that project', async () => {
    const request = requestOf(await newClient())
    const [member, viewer, stranger] = [await newPerson(), await newPerson('viewer'), await newPerson('owner')]
    expect((await consent(request, { project: member.project })).statusCode).toBe(401)
    expect((await consent(request, viewer)).statusCode).toBe(403)
    expect((await consent(request, { ...member, project: stranger.project })).statusCode).toBe(404)
    expect((await consent(request, member)).statusCode).toBe(200)
  })

  it('takes it only from our own page', async () => {
    const { token, project } = await newPerson()
    const input = { request: requestOf(await newClient()), projectId: project.id, name: 'x', expiresIn: '90d' }
    for (const headers of [{ 'x-requested-with': '' }, { origin: 'https://evil.example' }, { origin: 'null' }]) {
      expect((await post('/api/oauth/consent', input, { token, headers })).statusCode).toBe(403)
    }
    expect((await post('/api/oauth/consent', input, { token, headers: { origin: ISSUER } })).statusCode).toBe(200)
  })

  it('asks for a name that can be seen and for a time that is offered', async () => {
    const { token, project } = await newPerson()
    const input = { request: requestOf(await newClient()), projectId: project.id, name: 'x', expiresIn: '90d' }
    for (const wrong of [{ name: ' ' }, { name: 'a\u202eb' }, { expiresIn: '10y' }, { expiresIn: '' }]) {
      expect((await post('/api/oauth/consent', { ...input, ...wrong }, { token })).statusCode).toBe(400)
    }
  })

  it('gives no codes without end', async () => {
    const person = await newPerson()
    const request = requestOf(await newClient())
    const answers = await Promise.all(Array.from({ length: 21 }, () => consent(request, person)))
    expect(
      answers
        .map(({ statusCode }) => statusCode)
        .sort()
        .slice(-2),
    ).toEqual([200, 429])
  })
})

describe('a code', () => {
  it('is exchanged once; the second time revokes the key', async () => {
    const [client, person] = [await newClient(), await newPerson()]
    const code = await codeFor(client, person)
    const first = await redeem(client, code, { redirect_uri: REDIRECT, resource: RESOURCE })
    expect(first.statusCode).toBe(200)
    expect([first.headers['cache-control'], first.headers.pragma]).toEqual(['no-store', 'no-cache'])
    const second = await redeem(client, code)
    expect([second.statusCode, second.json().error]).toEqual([400, 'invalid_grant'])
    expect(await control.keys.authenticate(first.json().access_token)).toEqual({ status: 'revoked' })
  })

  it.each<[string, Record<string, string | string[]>, number, string]>([
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }, 400, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'short' }, 400, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_request'],
    ['another redirect URI', { redirect_uri: `${REDIRECT}/` }, 400, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 400, 'invalid_target'],
    ['an unknown client', { client_id: 'cli_unknown' }, 401, 'invalid_client'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['another code', { code: 'other' }, 400, 'invalid_grant'],
    ['two codes', { code: ['a', 'b'] }, 400, 'invalid_request'],
    ['another grant', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
    ['a grant that is not given', { grant_type: 'refresh_token' }, 400, 'unsupported_grant_type'],
  ])('with %s gives no key', async (_, wrong, status, error) => {
    const [client, person] = [await newClient(), await newPerson()]
    const answer = await redeem(client, await codeFor(client, person), wrong)
    expect([answer.statusCode, answer.json().error]).toEqual([status, error])
    expect(await control.keys.list(person.project.id)).toEqual([])
  })

  it('of one client is worth nothing to another', async () => {
    const [mine, theirs, person] = [await newClient(), await newClient(), await newPerson()]
    const answer = await redeem(theirs, await codeFor(mine, person))
    expect([answer.statusCode, answer.json().error]).toEqual([400, 'invalid_grant'])
  })

  it('is too old after a minute', async () => {
    const [client, person] = [await newClient(), await newPerson()]
    const code = await codeFor(client, person)
    now += 60_000
    expect((await redeem(client, code)).json().error).toBe('invalid_grant')
  })

  it('is not taken from the page of another site, nor as JSON', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' }
    const foreign = await server.routes.inject({ method: 'POST', url: '/oauth/token', headers, payload: 'a=b' })
    expect(foreign.statusCode).toBe(403)
    const json = await server.routes.inject({ method: 'POST', url: '/oauth/token', payload: { code: 'a' } })
    expect([json.statusCode, json.json().error]).toEqual([415, 'invalid_request'])
  })
})

describe('giving a token back', () => {
  const revoke = (form: Record<string, string>) =>
    server.routes.inject({
      method: 'POST',
      url: '/oauth/revoke',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams(form).toString(),
    })

  it('does no harm for tokens nobody knows, and needs both fields', async () => {
    expect((await revoke({ token: 'tidemark_read_x', client_id: 'cli_x' })).statusCode).toBe(200)
    expect((await revoke({ token: 'x' })).json().error).toBe('invalid_request')
    expect((await revoke({ client_id: 'x' })).json().error).toBe('invalid_request')
  })

  it('is for the client that got it: neither another nor a key made by hand', async () => {
    const [mine, theirs, person] = [await newClient(), await newClient(), await newPerson()]
    const token = (await redeem(mine, await codeFor(mine, person))).json().access_token
    const byHand = await control.keys.create(
      { projectId: person.project.id, kind: 'read', name: 'by hand', expiresAtMs: null },
      { by: 'operator', nowMs: Date.now() },
    )
    for (const one of [token, byHand.secret]) {
      expect((await revoke({ token: one, client_id: theirs })).json().error).toBe('invalid_grant')
      expect(await control.keys.authenticate(one)).toMatchObject({ status: 'ok' })
    }
    expect((await revoke({ token, client_id: mine })).statusCode).toBe(200)
    expect((await revoke({ token, client_id: mine })).statusCode).toBe(200)
    expect(await control.keys.authenticate(token)).toEqual({ status: 'revoked' })
  })
})
