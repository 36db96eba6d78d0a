/** What is kept of calls over MCP, seen from outside: who reads it, what stands in it, and what a crash leaves. */
import { beforeAll, describe, expect, it } from 'vitest'
import type { CallsAnswer, CallsByKeyAnswer } from '../../packages/wire/src/people/call.ts'
import { browserUnavailable, type Look, lookAt, openPage } from '../support/browser/browser.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService, tidemark } from '../support/service/service.ts'

const PASSWORD = 'correct horse battery'
const CALLS_PER_MINUTE = 10
const dataDir = temporaryFolder()

type Shop = { project: { id: string }; readKey: string }

let service: Service
let cookie: string
let shop: Shop
let other: Shop

beforeAll(async () => {
  service = await start()
  cookie = await signIn()
  const create = async (name: string) => (await tidemark(['project', 'create', name, '--json'], { dataDir })).json()
  shop = await create('shop')
  other = await create('other')
})

const start = () =>
  startService({
    dataDir,
    // A guide is read without the log store.
    engine: false,
    env: { TIDEMARK_OWNER_PASSWORD: PASSWORD, TIDEMARK_MCP_CALLS_PER_MINUTE: String(CALLS_PER_MINUTE) },
  })

describe('calls over MCP', () => {
  it('are listed a second later, of their own project alone', async () => {
    await call(shop.readKey, 'resources/read', { uri: 'tidemark://guide/query' })
    await call(shop.readKey, 'tools/call', { name: 'no_such_tool', arguments: { password: 'hunter2' } })
    await call(other.readKey, 'prompts/get', { name: 'triage', arguments: { environment: 'production' } })
    await expect.poll(async () => (await list(shop)).calls.length).toBe(2)
    const { calls, nextBefore } = await list(shop)
    expect(calls).toMatchObject([
      { method: 'tools/call', name: null, arguments: [], rows: null, error: 'invalid_request' },
      { method: 'resources/read', name: 'tidemark://guide/query', rows: null, error: null },
    ])
    expect([nextBefore, calls[1]?.bytes]).toEqual([null, expect.any(Number)])
    expect(JSON.stringify(calls)).not.toContain('hunter2')
    await expect.poll(async () => (await list(other)).calls).toMatchObject([{ arguments: ['environment'] }])
    const foreign = (await list(other)).calls[0]?.keyId
    expect((await list(shop, { keyId: foreign ?? '' })).calls).toEqual([])
  })

  it('are filtered and paged, and parameters that mean nothing are refused', async () => {
    expect((await list(shop, { errors: 'only' })).calls).toHaveLength(1)
    expect((await list(shop, { name: 'tidemark://guide/query' })).calls).toHaveLength(1)
    const { calls, nextBefore } = await list(shop, { limit: '1' })
    expect([calls.length, calls[0]?.error, nextBefore]).toEqual([1, 'invalid_request', calls[0]?.id])
    expect((await list(shop, { limit: '1', before: nextBefore ?? '' })).calls).toMatchObject([{ error: null }])
    for (const query of ['tool=x', 'limit=0', 'limit=501', 'errors=yes']) {
      expect((await ask(`/api/projects/${shop.project.id}/calls?${query}`)).status).toBe(400)
    }
  })

  it('are summed up by key', async () => {
    const response = await ask(`/api/projects/${shop.project.id}/calls/by-key`)
    const { keys, names } = (await response.json()) as CallsByKeyAnswer
    expect(keys).toMatchObject([
      {
        lastDay: { calls: 2, errors: 1 },
        lastWeek: { calls: 2, errors: 1, p95Ms: expect.any(Number) },
        cutBefore: null,
      },
    ])
    expect(names).toEqual(['tidemark://guide/query'])
  })

  it('over the limit get 429 and an error that says how long to wait, and other keys none', async () => {
    let answer = await call(shop.readKey, 'ping', {})
    // More of them than a slow machine would be given back meanwhile.
    for (let made = 0; made < 5 * CALLS_PER_MINUTE && answer.status === 200; made++) {
      answer = await call(shop.readKey, 'ping', {})
    }
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect(await answer.json()).toMatchObject({
      jsonrpc: '2.0',
      id: 1,
      error: {
        code: -32_000,
        message: expect.stringMatching(/wait.*Retry after \d+ s\.$/),
        data: { code: 'rate_limited' },
      },
    })
    expect((await call(other.readKey, 'ping', {})).status).toBe(200)
    expect((await call(`${shop.readKey}x`, 'ping', {})).status).toBe(401)
  })

  it('stand on a page of the settings, by key, call and result', async (context) => {
    const missing = browserUnavailable()
    if (missing !== undefined) context.skip(missing)
    const { page, complaints } = await openPage(service.url, { bypassCSP: true })
    await page.context().addCookies([{ ...namedCookie(cookie), url: service.url }])
    await page.goto(`${service.url}/projects/${shop.project.id}/settings/keys`)
    await page.getByRole('link', { name: 'Calls with' }).click()
    const cells = page.getByRole('region', { name: 'Calls by key' }).getByRole('row').nth(1).getByRole('cell')
    await expect.poll(async () => (await cells.allInnerTexts()).slice(2, 5)).toEqual(['2', '2', '1'])
    const calls = page.getByRole('region', { name: 'List of calls' }).getByRole('row')
    await expect.poll(() => calls.count()).toBe(3)
    await page.getByLabel('Result').selectOption('Errors only')
    await expect.poll(() => calls.count()).toBe(2)
    expect(await calls.nth(1).innerText()).toMatch(/unknown tool.*Invalid request/s)
    await page.getByLabel('Call', { exact: true }).selectOption('tidemark://guide/query')
    await page.getByText('No calls match this filter').waitFor()
    expect(new URL(page.url()).searchParams.get('errors')).toBe('only')
    await page.getByRole('button', { name: 'Show all calls' }).click()
    await expect.poll(() => calls.count()).toBe(3)
    const look: Look = { light: [], dark: [], tooWide: [], tooLong: [] }
    await lookAt(page, 'calls', look, 390)
    expect(look).toEqual({ light: [], dark: [], tooWide: [], tooLong: [] })
    // The frame around the page asks the log store, and there is none.
    expect(complaints.filter((complaint) => !complaint.includes('503'))).toEqual([])
  })

  it('survive a kill once they are listed', async () => {
    await call(other.readKey, 'resources/read', { uri: 'tidemark://guide/time' })
    const newest = async () => (await list(other)).calls[0]?.name
    await expect.poll(newest).toBe('tidemark://guide/time')
    await service.stop('SIGKILL')
    service = await start()
    expect(await newest()).toBe('tidemark://guide/time')
  })
})

async function signIn(): Promise<string> {
  const response = await fetch(`${service.url}/api/session`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Requested-With': 'tidemark' },
    body: JSON.stringify({ email: 'owner@localhost', password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

function namedCookie(text: string): { name: string; value: string } {
  const [name = '', value = ''] = text.split('=')
  return { name, value }
}

function ask(path: string): Promise<Response> {
  return fetch(service.url + path, { headers: { Cookie: cookie } })
}

async function list({ project }: Shop, filter: Record<string, string> = {}): Promise<CallsAnswer> {
  const response = await ask(`/api/projects/${project.id}/calls?${new URLSearchParams(filter)}`)
  expect(response.status).toBe(200)
  return (await response.json()) as CallsAnswer
}

function call(key: string, method: string, params: object): Promise<Response> {
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
}
