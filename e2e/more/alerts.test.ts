/** What breaks reaches people who are not looking: from a record that is sent to a webhook and a mailbox, against the built service. */
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DeliveryView, NewChannelAnswer } from '../../packages/wire/src/alerts/alert.ts'
import { mailReceiver, type Posted, webhookReceiver } from '../support/clients/alert-receivers.ts'
import { sendLogs } from '../support/clients/reading-api.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { temporaryFolder } from '../support/service/processes.ts'
import { type Service, startService } from '../support/service/service.ts'

const PASSWORD = 'correct horse battery'
const PATIENCE = { timeout: 240_000, interval: 250 }
/** An emulated engine on a busy machine takes its time; how long it takes is not what is asked here. */
const TIMEOUT_MS = 600_000

let service: Service
let hooks: Awaited<ReturnType<typeof webhookReceiver>>
let post: Awaited<ReturnType<typeof mailReceiver>>
let cookie: string
let shop: TestProject
let other: TestProject
let hook: NewChannelAnswer
let mail: NewChannelAnswer
let down: NewChannelAnswer

beforeAll(async () => {
  hooks = await webhookReceiver()
  post = await mailReceiver()
  const dataDir = temporaryFolder()
  service = await startService({
    dataDir,
    env: {
      TIDEMARK_OWNER_PASSWORD: PASSWORD,
      TIDEMARK_PUBLIC_URL: 'https://logs.example',
      TIDEMARK_ALLOWED_HOSTS: '127.0.0.1',
      TIDEMARK_ALLOW_LOCAL_WEBHOOKS: 'true',
      TIDEMARK_SMTP_URL: post.url,
      TIDEMARK_MAIL_FROM: 'tidemark@logs.example',
    },
  })
  shop = await createProject(service, 'alerts')
  other = await createProject(service, 'alerts')
  cookie = await signIn()
  hook = (await asOwner('POST', shop, 'channels', { name: 'hook', kind: 'webhook', url: `${hooks.url}/hook` })).body
  down = (await asOwner('POST', shop, 'channels', { name: 'down', kind: 'webhook', url: `${hooks.url}/down` })).body
  const recipients = ['ada@shop.example', 'bob@shop.example']
  mail = (await asOwner('POST', shop, 'channels', { name: 'mail', kind: 'email', recipients })).body
}, TIMEOUT_MS)

afterAll(async () => {
  hooks?.close()
  await post?.close()
})

async function signIn(): Promise<string> {
  const response = await fetch(`${service.url}/api/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-requested-with': 'tidemark' },
    body: JSON.stringify({ email: 'owner@localhost', password: PASSWORD }),
  })
  expect(response.status).toBe(200)
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
}

async function asOwner(method: string, { id }: TestProject, path: string, body?: unknown) {
  const response = await fetch(`${service.url}/api/projects/${id}/alerts${path && `/${path}`}`, {
    method,
    headers: { cookie, 'content-type': 'application/json', 'x-requested-with': 'tidemark' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
}

/** Throws unless the secret that was shown signed it. */
const verified = ({ body, headers }: Posted) =>
  // biome-ignore lint/suspicious/noExplicitAny: the test knows the shape it asks for
  new Webhook(hook.secret ?? '').verify(body, headers) as any

const titlesAt = (path: string) => hooks.at(path).flatMap((one) => JSON.parse(one.body).data.alerts.map(titleOf))
const titleOf = ({ title }: { title: string }) => title

function failure(type: string, timestamp: string) {
  const stack = `${type}: the order could not be paid\n    at pay (/srv/shop/src/${type}.js:3:1)`
  const error = { type, message: 'the order could not be paid', stack }
  return { timestamp, level: 'error', message: 'payment failed', environment: 'production', service: 'checkout', error }
}

describe('a test of a channel', () => {
  it('really sends something that the secret signed, and answers what the receiver said', async () => {
    const { status, body } = await asOwner('POST', shop, `channels/${hook.channel.id}/test`, {})
    expect([status, body]).toEqual([200, { isDelivered: true, answer: 'Answered 200: thank you' }])
    expect(hooks.at('/hook').map((one) => verified(one).type)).toEqual(['alert.test'])
  })

  it('sends a mail to every recipient', async () => {
    const { status, body } = await asOwner('POST', shop, `channels/${mail.channel.id}/test`, {})
    expect([status, body.isDelivered]).toEqual([200, true])
    expect(post.mails.map(({ from, to }) => [from, to])).toEqual([
      ['tidemark@logs.example', ['ada@shop.example', 'bob@shop.example']],
    ])
  })

  it('says that the receiver did not take it', async () => {
    const { status, body } = await asOwner('POST', shop, `channels/${down.channel.id}/test`, {})
    expect([status, body]).toEqual([200, { isDelivered: false, answer: 'Answered 500: out of order' }])
  })

  it('is not for a channel of another project, and no secret is answered again', async () => {
    expect((await asOwner('POST', other, `channels/${hook.channel.id}/test`, {})).status).toBe(404)
    const { body } = await asOwner('GET', shop, '')
    expect(JSON.stringify(body)).not.toContain('whsec_')
    expect(hooks.at('/hook')).toHaveLength(1)
  })
})

describe('a rule for new errors', () => {
  it(
    'tells each channel once what broke, since when, and where to read on',
    async () => {
      const channelIds = [hook, mail, down].map(({ channel }) => channel.id)
      const rule = { name: 'new errors', reasons: ['new_analysis'], environment: 'production', channelIds }
      expect((await asOwner('POST', shop, 'rules', rule)).status).toBe(201)
      const since = new Date().toISOString()
      await sendLogs(service, shop, [failure('CardError', since)])
      await expect.poll(() => titlesAt('/hook').length, PATIENCE).toBe(1)
      // The same error again is the same episode; the other one shows that it had its chance.
      const again = new Date().toISOString()
      const elsewhere = { ...failure('TestError', again), environment: 'staging' }
      await sendLogs(service, shop, [failure('CardError', again), elsewhere, failure('StockError', again)])
      await expect.poll(() => titlesAt('/hook').length, PATIENCE).toBe(2)
      await expect.poll(() => post.mails.length, PATIENCE).toBe(3)

      const [, first, second, ...more] = hooks.at('/hook').map((one) => ({ ...one, content: verified(one) }))
      expect(more).toEqual([])
      expect(first?.headers['webhook-id']).not.toBe(second?.headers['webhook-id'])
      const { type, data } = first?.content ?? {}
      const [alert] = data.alerts
      expect([type, data.told, data.project]).toEqual(['alert.new_analysis', 1, { id: shop.id, name: shop.name }])
      expect(alert).toMatchObject({ reason: 'new_analysis', environment: 'production', service: 'checkout' })
      expect(alert.title).toContain('CardError')
      expect(Date.parse(alert.since)).toBe(Date.parse(since))
      const page = new RegExp(`^https://logs\\.example/projects/${shop.id}/analyses/(ana_\\w+)$`)
      expect(alert.url).toMatch(page)
      expect(alert.prompt).toContain(`get_analysis {"id":"${page.exec(alert.url)?.[1]}"}`)
      expect(alert.prompt).toContain('https://logs.example/mcp')
      expect(second?.content.data.alerts.map(titleOf)).toEqual([expect.stringContaining('StockError')])

      const written = post.mails.find(({ text }) => text.includes(alert.url))?.text
      expect(written).toMatch(/^Subject: .*New error in production: .*CardError/m)
      expect(written).toContain(`Since ${since.slice(0, 10)} ${since.slice(11, 16)} UTC`)
    },
    TIMEOUT_MS,
  )

  it('leaves a log: what was sent, and what a receiver did not take and when it is tried again', async () => {
    const deliveries = async (): Promise<DeliveryView[]> =>
      (await asOwner('GET', shop, 'deliveries')).body.deliveries.filter(({ title }: DeliveryView) =>
        title.includes('CardError'),
      )
    const of = async (name: string) => (await deliveries()).filter(({ channelName }) => channelName === name)
    await expect.poll(async () => (await of('down'))[0]?.attempts, PATIENCE).toBeGreaterThan(0)
    const sent = { state: 'sent', attempts: 1, nextTryAt: null }
    expect(await of('hook')).toMatchObject([{ ...sent, lastAnswer: 'Answered 200: thank you' }])
    expect(await of('mail')).toMatchObject([sent])
    const [failing, ...more] = await of('down')
    expect(more).toEqual([])
    expect(failing).toMatchObject({ state: 'queued', lastAnswer: 'Answered 500: out of order', sentAt: null })
    expect(failing?.nextTryAt).toEqual(expect.any(String))
    expect((await asOwner('GET', other, 'deliveries')).body.deliveries).toEqual([])
  })
})
