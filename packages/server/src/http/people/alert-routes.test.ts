import { MAX_ALERT_RULES, MAX_CHANNELS, MAX_QUERY_RULES } from '@tidemark/wire/alerts/alert-kinds'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Delivering } from '../../alerts/deliver.ts'
import type { Control } from '../../control/open.ts'
import { createAddressGuard } from '../../outbound/address-guard.ts'
import { controlBackends } from '../../testing/control.ts'
import { testPeople } from '../../testing/people.ts'
import { fakeReading } from '../../testing/reading.ts'
import { openAlerts } from '../../verbs/open-alerts.ts'
import { createHttpServer, type HttpServer } from '../server.ts'
import { peopleRoutes } from './people-routes.ts'

const log = pino({ level: 'silent' })
const publicUrl = 'http://localhost:4700'
const backend = controlBackends()[0]!
const HOSTS: Record<string, string[]> = { 'hook.example': ['1.1.1.1'], 'inside.example': ['1.1.1.1', '10.0.0.7'] }
let control: Control
let server: HttpServer
let tests = 0
const delivered: Delivering[] = []
const tokens: Record<string, string> = {}
const projects: Record<string, string> = {}

beforeAll(async () => {
  control = await backend.open()
  server = createHttpServer({ log, publicUrl, urls: [], allowedHosts: [] })
  peopleRoutes(server.routes, {
    people: testPeople(control, publicUrl),
    reading: fakeReading({ records: [] }),
    alerts: openAlerts({
      ...{ control, publicUrl, secretKey: 's'.repeat(32), now: Date.now, allowLocal: false, canSendMail: true },
      checkHost: createAddressGuard({
        allowPrivate: false,
        allowedBy: 'TIDEMARK_ALLOW_LOCAL_WEBHOOKS',
        resolve: async (host) => HOSTS[host] ?? [],
      }),
      deliver: async (message) => {
        delivered.push(message)
        return { isDelivered: false, answer: 'Answered 500: no', retryAfterMs: null }
      },
      admitTest: () => {
        tests += 1
        return tests <= 1
      },
    }),
    publicUrl,
  })
  const change = { by: 'operator', nowMs: Date.now() }
  for (const name of ['shop', 'other', 'full']) {
    projects[name] = (await control.projects.create({ name, retentionDays: 30 }, change)).id
  }
  for (const role of ['owner', 'member', 'viewer', 'stranger'] as const) {
    const account = { email: `${role}@example.com`, name: role, role: 'member', passwordHash: null } as const
    const person = await control.accounts.create(account, change)
    const own = role === 'stranger' ? ['other'] : ['shop', 'full']
    for (const project of own) {
      const as = role === 'stranger' ? 'owner' : role
      await control.members.add(projects[project] as never, person.id, as, change)
    }
    const session = { personId: person.id, origin: 'password', replaces: undefined, address: '' } as const
    tokens[role] = await control.sessions.open(session, Date.now())
  }
})
afterAll(async () => {
  await server.stop()
  await backend.close()
})

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'

async function ask(role: string, method: Method, path: string, payload?: object, project = 'shop') {
  const answer = await server.routes.inject({
    method,
    url: `/api/projects/${projects[project]}/alerts${path}`,
    headers: { cookie: `tidemark_session=${tokens[role]}`, 'x-requested-with': 'tidemark' },
    ...(payload && { payload }),
  })
  return { status: answer.statusCode, text: answer.body, body: answer.body === '' ? null : JSON.parse(answer.body) }
}

const hook = (name: string) => ({ name, kind: 'webhook', url: 'https://hook.example/in?team=1' })

describe('channels and rules', () => {
  it('are made, shown, changed and removed by owners, and every step is in the audit', async () => {
    const made = await ask('owner', 'POST', '/channels', hook('Ops'))
    expect(made.status).toBe(201)
    expect(made.body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    const channelId = made.body.channel.id
    const slack = { name: 'Chat', kind: 'slack', url: 'https://hook.example/services/T0/B0/hidden' }
    const chat = await ask('owner', 'POST', '/channels', slack)
    expect(chat.body).toMatchObject({ secret: null, channel: { address: 'hook.example' } })
    const rule = {
      name: 'All',
      reasons: ['new_analysis', 'bad_deploy'],
      channelIds: [channelId],
      environment: 'production',
    }
    const added = await ask('owner', 'POST', '/rules', rule)
    expect(added).toMatchObject({ status: 201, body: { rule: { isOn: true, createdBy: 'owner' } } })
    const ruleId = added.body.rule.id
    expect((await ask('owner', 'PATCH', `/rules/${ruleId}`, { isOn: false })).body.rule).toMatchObject({
      isOn: false,
      environment: 'production',
    })
    const quietHours = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
    expect((await ask('owner', 'PATCH', `/channels/${channelId}`, { quietHours })).body.channel).toMatchObject({
      quietHours,
    })
    const all = await ask('member', 'GET', '')
    expect([all.body.channels.length, all.body.rules.length, all.body.canSendMail]).toEqual([2, 1, true])
    expect(all.text).not.toMatch(/whsec_|hidden/)
    expect(await ask('owner', 'DELETE', `/channels/${channelId}`)).toMatchObject({
      status: 409,
      body: { error: { message: 'The rule "All" names this channel. Take it out of it first.' } },
    })
    expect((await ask('owner', 'DELETE', `/rules/${ruleId}`)).status).toBe(204)
    expect((await ask('owner', 'DELETE', `/channels/${channelId}`)).status).toBe(204)
    const audit = await control.audit.list({ projectId: projects.shop!, limit: 20 })
    expect(audit.map(({ action }) => action).filter((action) => action.startsWith('alert'))).toEqual([
      'alert_channel.removed',
      'alert_rule.removed',
      'alert_channel.changed',
      'alert_rule.changed',
      'alert_rule.added',
      'alert_channel.added',
      'alert_channel.added',
    ])
    expect(JSON.stringify(audit)).not.toMatch(/whsec_|hidden/)
  })

  it('keep their secrets encrypted', async () => {
    const made = await ask('owner', 'POST', '/channels', hook('Sealed'))
    const stored = await control.alertChannels.get(projects.shop as never, made.body.channel.id)
    expect(stored?.sealed).toMatch(/^v1\./)
    expect(JSON.stringify(stored)).not.toContain(made.body.secret)
  })

  it('are seen by members, changed by owners only, and nothing for viewers and strangers', async () => {
    const statuses = async (role: string) => [
      (await ask(role, 'GET', '')).status,
      (await ask(role, 'GET', '/deliveries')).status,
      (await ask(role, 'POST', '/channels', hook(`By ${role}`))).status,
      (await ask(role, 'POST', '/rules', { name: 'x', reasons: ['bad_deploy'], channelIds: ['chn_x'] })).status,
    ]
    expect(await statuses('member')).toEqual([200, 200, 403, 403])
    expect(await statuses('viewer')).toEqual([403, 403, 403, 403])
    expect(await statuses('stranger')).toEqual([404, 404, 404, 404])
  })

  it('of another project are not found, whoever asks there', async () => {
    const { body } = await ask('owner', 'POST', '/channels', hook('Isolated'))
    const { id } = body.channel
    const own = 'other'
    expect((await ask('stranger', 'PATCH', `/channels/${id}`, { name: 'Mine' }, own)).status).toBe(404)
    expect((await ask('stranger', 'DELETE', `/channels/${id}`, undefined, own)).status).toBe(404)
    expect((await ask('stranger', 'POST', `/channels/${id}/test`, {}, own)).status).toBe(404)
    const rule = { name: 'Theirs', reasons: ['bad_deploy'], channelIds: [id] }
    expect(await ask('stranger', 'POST', '/rules', rule, own)).toMatchObject({ status: 400 })
    expect((await ask('stranger', 'GET', '', undefined, own)).body.channels).toEqual([])
    expect(delivered).toEqual([])
  })
})

describe('a test', () => {
  it('really sends, shows the answer, and cannot be repeated without end', async () => {
    const { body } = await ask('owner', 'POST', '/channels', hook('Tested'))
    const path = `/channels/${body.channel.id}/test`
    expect((await ask('member', 'POST', path, {})).status).toBe(403)
    expect((await ask('owner', 'POST', path, {})).body).toEqual({ isDelivered: false, answer: 'Answered 500: no' })
    expect(delivered).toHaveLength(1)
    expect(await ask('owner', 'POST', path, {})).toMatchObject({ status: 429 })
    expect(delivered).toHaveLength(1)
  })
})

describe('bad input', () => {
  const channel = (some: object) => ['/channels', { ...hook('Bad'), ...some }] as const
  const rule = (some: object) =>
    ['/rules', { name: 'Bad', reasons: ['bad_deploy'], channelIds: ['chn_x'], ...some }] as const
  const query = (some: object) =>
    rule({ reasons: ['query'], query: 'level:error', threshold: 5, windowMinutes: 5, ...some })
  const quiet = (some: object) => channel({ quietHours: { from: '22:00', to: '07:00', timeZone: 'UTC', ...some } })

  it.each([
    ['an address that is none', ...channel({ url: 'hook.example' }), 'begins with https://'],
    ['an address with spaces', ...channel({ url: 'https://hook.example/a b' }), 'is not an address'],
    ['an address with a backslash', ...channel({ url: 'https://hook.example\\a' }), 'is not an address'],
    ['an address without slashes', ...channel({ url: 'https:hook.example' }), 'is not an address'],
    ['no address', ...channel({ url: undefined }), 'url is needed'],
    ['plain http', ...channel({ url: 'http://hook.example/in' }), 'must begin with https://'],
    ['another protocol', ...channel({ url: 'file:///etc/passwd' }), 'is not an address'],
    ['a password in the address', ...channel({ url: 'https://a:b@hook.example/' }), 'must not hold a user'],
    ['a loopback address', ...channel({ url: 'https://127.0.0.1/x' }), 'TIDEMARK_ALLOW_LOCAL_WEBHOOKS=true'],
    ['an IPv6 loopback address', ...channel({ url: 'https://[::1]/x' }), 'private to this network'],
    ['a loopback address in disguise', ...channel({ url: 'https://2130706433/x' }), 'private to this network'],
    ['the address of cloud secrets', ...channel({ url: 'https://169.254.169.254/latest' }), 'private to this network'],
    ['a host with a private address', ...channel({ url: 'https://inside.example/x' }), 'private to this network'],
    ['a host that does not exist', ...channel({ url: 'https://none.example/x' }), 'cannot be found'],
    ['a kind that is none', ...channel({ kind: 'pigeon' }), 'kind'],
    ['recipients for a webhook', ...channel({ recipients: ['a@b.example'] }), 'recipients are for e-mail'],
    ['an address for mail', ...channel({ kind: 'email' }), 'url is not for e-mail'],
    ['mail to nobody', '/channels', { name: 'Bad', kind: 'email' }, 'at least one e-mail address'],
    [
      'mail with a header in it',
      '/channels',
      { name: 'Bad', kind: 'email', recipients: ['a@b.example\r\nBcc: c@d.example'] },
      'must be plain addresses',
    ],
    [
      'two addresses in one',
      '/channels',
      { name: 'B', kind: 'email', recipients: ['a@b.example,c@d.example'] },
      'plain',
    ],
    ['an empty name', ...channel({ name: '  ' }), 'must not be empty'],
    ['a name with hidden characters', ...channel({ name: 'a\u200bb' }), 'invisible characters'],
    ['a name that is too long', ...channel({ name: 'x'.repeat(101) }), 'at most 100 characters'],
    ['a time zone that is none', ...quiet({ timeZone: 'Mars/Olympus' }), 'time zone by its name'],
    ['an offset for a time zone', ...quiet({ timeZone: '+02:00' }), 'time zone by its name'],
    ['a time that is none', ...quiet({ from: '25:00' }), 'time of day'],
    ['quiet hours without end', ...quiet({ to: '22:00' }), 'must end at another time'],
    ['no messages at all', ...channel({ messagesAnHour: 0 }), 'messagesAnHour'],
    ['too many messages', ...channel({ messagesAnHour: 10_000 }), 'messagesAnHour'],
    ['a field that nobody knows', ...channel({ secret: 'whsec_mine' }), 'secret'],
    ['no reason', ...rule({ reasons: [] }), 'reasons'],
    ['a reason that is none', ...rule({ reasons: ['boredom'] }), 'reasons'],
    ['no channel', ...rule({ channelIds: [] }), 'channelIds'],
    ['a channel that is none', ...rule({}), 'channels of its own project'],
    ['a query beside other reasons', ...query({ reasons: ['query', 'bad_deploy'] }), 'no other reason'],
    ['a threshold without a query', ...rule({ threshold: 5 }), 'for rules with the reason query only'],
    ['no query', ...query({ query: undefined }), 'query is needed'],
    ['an empty query', ...query({ query: ' ' }), 'must not be empty'],
    ['a query that cannot be read', ...query({ query: '(level:error' }), ')'],
    ['a threshold of 0', ...query({ threshold: 0 }), 'threshold'],
    ['half a record', ...query({ threshold: 1.5 }), 'threshold'],
    ['a window of 0', ...query({ windowMinutes: 0 }), 'windowMinutes'],
    ['a window of a week', ...query({ windowMinutes: 10_080 }), 'windowMinutes'],
    ['an empty environment', ...rule({ environment: '' }), 'environment'],
  ])('%s is refused with what to do', async (_, path, body, words) => {
    const before = await ask('owner', 'GET', '')
    const answer = await ask('owner', 'POST', path, body)
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(words)])
    expect((await ask('owner', 'GET', '')).body).toEqual(before.body)
  })

  it('a name that is taken is refused, however it is written', async () => {
    await ask('owner', 'POST', '/channels', hook('Twice'))
    const again = await ask('owner', 'POST', '/channels', hook('TWICE '))
    expect([again.status, again.body.error.message]).toEqual([
      409,
      'There is already a channel called "TWICE". Choose another name.',
    ])
  })

  it('too many channels and rules are refused', async () => {
    const post = (path: string, body: object) => ask('owner', 'POST', path, body, 'full')
    let channelId = ''
    for (let at = 0; at < MAX_CHANNELS; at += 1) channelId = (await post('/channels', hook(`C${at}`))).body.channel.id
    expect((await post('/channels', hook('More'))).status).toBe(409)
    const asking = { reasons: ['query'], query: 'level:error', threshold: 5, windowMinutes: 5, channelIds: [channelId] }
    for (let at = 0; at < MAX_QUERY_RULES; at += 1) await post('/rules', { name: `Q${at}`, ...asking })
    expect((await post('/rules', { name: 'More', ...asking })).body.error.message).toContain('rules with a query')
    const plain = { reasons: ['bad_deploy'], channelIds: [channelId] }
    for (let at = MAX_QUERY_RULES; at < MAX_ALERT_RULES; at += 1) await post('/rules', { name: `R${at}`, ...plain })
    expect((await post('/rules', { name: 'More', ...plain })).body.error.message).toContain('alert rules')
  })
})
