import { createServer, type Server } from 'node:http'
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hashPassword } from '../../packages/server/src/control/accounts/password.ts'
import { browserUnavailable, type Look, lookAt, openPage, PATIENCE_MS } from '../support/browser/browser.ts'
import { unexpected } from '../support/browser/dashboard-owner.ts'
import { rpc } from '../support/clients/mcp-clients.ts'
import { listening } from '../support/listening.ts'
import { type HttpsFront, openHttpsFront } from '../support/service/https-front.ts'
import { createProject, withControl } from '../support/service/ingest-project.ts'
import { type Service, startService } from '../support/service/service.ts'

const PASSWORD = 'from the config'
const PATHS = [
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/oauth/authorize',
  '/oauth/register',
  '/oauth/token',
  '/oauth/revoke',
]
const OWNER = { email: 'owner@localhost', password: PASSWORD }
const SETTLED = { reducedMotion: 'reduce', bypassCSP: true, ignoreHTTPSErrors: true } as const

let front: HttpsFront
let service: Service
let callbacks: Server
let callback: string
let arrived: URL[]

beforeAll(async () => {
  front = await openHttpsFront()
  service = await startService({
    engine: false,
    env: { TIDEMARK_PUBLIC_URL: front.origin, TIDEMARK_OWNER_PASSWORD: PASSWORD },
  })
  front.leadTo(service.port)
  arrived = []
  callbacks = createServer((request, response) => {
    if (request.url?.startsWith('/callback')) arrived.push(new URL(request.url, 'http://127.0.0.1'))
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>Client</title><p>Connected')
  })
  callback = `http://127.0.0.1:${await listening(callbacks)}/callback`
})
afterAll(() => {
  callbacks.closeAllConnections()
  callbacks.close()
})

/** The official client as a program on this computer uses it: it keeps what it is given in memory. */
function newAgent() {
  const kept: {
    client?: unknown
    tokens?: { access_token: string }
    verifier?: string
    opened?: URL
    discovered?: OAuthDiscoveryState
  } = {}
  const provider: OAuthClientProvider = {
    // Any port of the loopback address: the one registered differs from the one used.
    redirectUrl: callback,
    clientMetadata: { client_name: 'Test agent', redirect_uris: [callback.replace(/:\d+\//, ':1/')] },
    state: () => 'state of the agent',
    clientInformation: () => kept.client as never,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens as never,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    redirectToAuthorization: (url) => {
      kept.opened = url
    },
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    codeVerifier: () => kept.verifier ?? '',
    saveDiscoveryState: (state) => {
      kept.discovered = state
    },
    discoveryState: () => kept.discovered,
  }
  const transport = () =>
    new StreamableHTTPClientTransport(new URL('/mcp', front.origin), { authProvider: provider, fetch: front.fetch })
  return { kept, transport, client: () => new Client({ name: 'Test agent', version: '1.0.0' }) }
}

/** From the first refusal to the address that the person is led to. */
async function startSignIn(agent: ReturnType<typeof newAgent>): Promise<URL> {
  await expect(agent.client().connect(agent.transport())).rejects.toBeInstanceOf(UnauthorizedError)
  if (!agent.kept.opened) throw new Error('The client opened no page.')
  return agent.kept.opened
}

async function signIn(page: Page, { email, password }: typeof OWNER): Promise<void> {
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const openConsent = async (url: URL, options: object = {}, person = OWNER) => {
  const opened = await openPage(front.origin, { ignoreHTTPSErrors: true, ...options })
  await opened.page.goto(url.href)
  await signIn(opened.page, person)
  return opened
}

describe('without a public https address', () => {
  it('there is no OAuth anywhere', async () => {
    const { url } = await startService({ engine: false })
    for (const path of PATHS) {
      for (const method of ['GET', 'POST']) {
        const answer = await fetch(url + path, { method })
        expect([path, answer.status]).toEqual([path, 404])
        expect(await answer.json()).toMatchObject({ error: { code: 'not_found' } })
      }
    }
    const refused = await fetch(`${url}/mcp`, { method: 'POST' })
    expect(refused.status).toBe(401)
    expect(refused.headers.get('www-authenticate')).not.toContain('resource_metadata')
  })
})

describe('with one', () => {
  it('a refused request says where to learn more, and keys made by hand work as ever', async () => {
    const { readKey } = await createProject(service, 'By hand')
    const post = (headers: Record<string, string>) =>
      front.fetch(`${front.origin}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: JSON.stringify(rpc('tools/list')),
      })
    const refused = await post({})
    expect(refused.status).toBe(401)
    const challenge = refused.headers.get('www-authenticate') ?? ''
    const metadata = /resource_metadata="([^"]+)"/.exec(challenge)?.[1]
    expect(metadata).toBe(`${front.origin}/.well-known/oauth-protected-resource/mcp`)
    expect(await (await front.fetch(metadata ?? '')).json()).toMatchObject({ resource: `${front.origin}/mcp` })
    expect((await post({ Authorization: `Bearer ${readKey}` })).status).toBe(200)
  })

  it('the page where people agree cannot be put into a frame', async () => {
    const page = await front.fetch(`${front.origin}/oauth/authorize?client_id=x`)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  })
})

describe.skipIf(browserUnavailable())('an agent that only knows the address', { timeout: PATIENCE_MS * 3 }, () => {
  it('is let in by a person, for one project, until its key is revoked', async () => {
    const shop = await createProject(service, 'Shop')
    await createProject(service, 'Other')
    const agent = newAgent()
    const { page, complaints } = await openConsent(await startSignIn(agent))

    await page.getByRole('heading', { name: 'Connect Test agent?' }).waitFor()
    await page.getByText(new URL(callback).host).waitFor()
    const allow = page.getByRole('button', { name: 'Allow reading' })
    await page.getByText('it calls itself that; Tidemark cannot verify it').waitFor()
    expect(await allow.isDisabled()).toBe(true)
    await page.getByLabel('Project').selectOption({ label: shop.name })
    await page.getByLabel('Name of the key').fill('Laptop of Ada')
    await allow.click()
    await page.getByText('Connected').waitFor()
    const returned = arrived.at(-1)?.searchParams ?? new URLSearchParams()
    expect([returned.get('state'), returned.get('iss')]).toEqual(['state of the agent', front.origin])

    await agent.transport().finishAuth(returned)
    const client = agent.client()
    await client.connect(agent.transport())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('list_logs')
    const token = agent.kept.tokens?.access_token ?? ''
    const key = await withControl(service, (control) => control.keys.authenticate(token))
    expect(key).toMatchObject({ status: 'ok', key: { kind: 'read', projectId: shop.id } })

    await page.goto(`${front.origin}/projects/${shop.id}/settings/keys`)
    const row = page.getByRole('row').filter({ hasText: 'Laptop of Ada' })
    const agents = page.getByRole('region', { name: 'Connected agents', exact: true })
    await agents.getByRole('row').filter({ hasText: 'Laptop of Ada' }).waitFor()
    await row.getByText(/^by (?!a former member)./).waitFor()
    for (const words of ['Test agent', `at ${new URL(callback).host}`]) {
      await row.getByText(words, { exact: true }).waitFor()
    }
    await row.getByRole('button', { name: 'Disconnect' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click()
    await page.getByText('Agent disconnected').waitFor()
    await row.getByText('Disconnected', { exact: true }).waitFor()

    const next = await front.fetch(`${front.origin}/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(rpc('tools/list')),
    })
    expect(next.status).toBe(401)
    await expect(client.listTools()).rejects.toThrow()
    await client.close()

    await page.goto(`${front.origin}/projects/${shop.id}/settings/audit`)
    for (const words of ['Connection allowed', 'Key created', 'Key revoked']) {
      await page.getByText(words, { exact: true }).first().waitFor()
    }
    // There is no session before the sign-in, and the way ends at the client's own page.
    const complained = unexpected(complaints, 401).filter((text) => text !== `asked ${new URL(callback).origin}`)
    expect(complained).toEqual([])
    await page.context().close()
  })

  it('hears of a no, and gets nothing', async () => {
    const agent = newAgent()
    const { page } = await openConsent(await startSignIn(agent))
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('Connected').waitFor()
    const { searchParams } = arrived.at(-1) ?? new URL(callback)
    expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['access_denied', null])
    await expect(agent.transport().finishAuth(searchParams)).rejects.toThrow()
    await page.context().close()
  })

  it('is offered a new project only by those who may create one', async () => {
    const person = { email: 'vera@shop.example', password: PASSWORD }
    await withControl(service, async (control) => {
      const account = { email: person.email, name: 'Vera', role: 'member' } as const
      const passwordHash = await hashPassword(person.password)
      await control.accounts.create({ ...account, passwordHash }, { by: 'operator', nowMs: Date.now() })
    })
    const { page } = await openConsent(await startSignIn(newAgent()), {}, person)
    await page
      .getByText('You have no project in which you can create keys. Ask an owner to make you a member.')
      .waitFor()
    expect(await page.getByRole('link', { name: 'create a project' }).count()).toBe(0)
    await page.context().close()
  })

  it('that wants people sent elsewhere sends nobody, and one that asks wrongly only by a click', async () => {
    const asked = await startSignIn(newAgent())
    const before = arrived.length
    const foreign = new URL(asked)
    foreign.searchParams.set('redirect_uri', 'https://evil.example/callback')
    const { page, complaints } = await openConsent(foreign)
    await page.getByText('an address that is not one of its own').waitFor()
    expect(complaints.filter((text) => text.includes('evil.example'))).toEqual([])

    const plain = new URL(asked)
    plain.searchParams.set('code_challenge_method', 'plain')
    await page.goto(plain.href)
    await page.getByText('code_challenge_method must be S256').waitFor()
    expect(arrived.length).toBe(before)
    await page.getByRole('button', { name: 'Go back to' }).click()
    await page.getByText('Connected').waitFor()
    expect(arrived.at(-1)?.searchParams.get('error')).toBe('invalid_request')
    await page.context().close()
  })

  it('has a page that everybody can read, also on a phone', async () => {
    await createProject(service, 'A shop with a long name that a phone is too narrow for')
    const { page } = await openConsent(await startSignIn(newAgent()), SETTLED)
    await page.getByLabel('Project').waitFor()
    const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
    await lookAt(page, 'consent', look, 390)
    expect(look).toEqual({ light: [], dark: [], tooWide: [], tooLong: [] })
    await page.context().close()
  })
})
