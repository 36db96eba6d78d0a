/** What changed before a moment, against the built service and the real engine: over HTTP, over MCP and in a terminal. */

import { beforeAll, describe, expect, it, vi } from 'vitest'
import { type ChangeView, changesAnswer } from '../../packages/wire/src/reading/changes.ts'
import { MINUTE_MS } from '../../packages/wire/src/time/units.ts'
import { connect } from '../support/clients/mcp-clients.ts'
import { get, type Parameters, sendDeploy, sendLogs } from '../support/clients/reading-api.ts'
import { createProject, type TestProject } from '../support/service/ingest-project.ts'
import { type Service, sharedService, tidemark } from '../support/service/service.ts'
import { settled } from '../support/service/settled.ts'

const HOUR = 60
/** Minutes; the moment is 0, three quarters of an hour ago. */
const BEGIN = -32 * HOUR
const END = 40
const STEP = 4
const MOST_TRIES = 8

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 240_000 })

let service: Service
let shop: TestProject
let bank: TestProject
let momentMs: number
let deployId: string

beforeAll(async () => {
  service = await sharedService()
  shop = await createProject(service, 'changes')
  bank = await createProject(service, 'changes of another')
  momentMs = Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - 45 * MINUTE_MS
  await sendLogs(service, shop, records())
  deployId = await sendDeploy(service, shop, { sha: 'c0ffee1', environment: 'production', deployedAt: at(-30) })
  await sendDeploy(service, bank, { sha: 'bad0bad', environment: 'production', deployedAt: at(-10) })
  await settled(service)
}, 240_000)

/** Steady traffic; five hours before the moment a setting changes, four before it the release, two before it mail stops. */
function records() {
  const sent: object[] = []
  const log = (minute: number, service: string, message: string, some: object = {}) =>
    sent.push({ message, level: 'info', timestamp: at(minute), environment: 'production', service, ...some })
  for (let minute = BEGIN; minute < END; minute += STEP) {
    log(minute, 'web', `request ${minute} served`, {
      ...{ host: minute < -3 * HOUR ? 'web-1' : 'web-2', release: minute < -4 * HOUR ? '1.4.1' : '1.4.2' },
      attributes: { 'db.pool': minute < -5 * HOUR ? 20 : 2 },
    })
    if (minute < -2 * HOUR) for (const part of [0, 1, 2]) log(minute + part, 'mail', `letter ${part} sent`)
    if (minute >= -2 * HOUR) log(minute, 'web', 'the cache is cold', { level: 'warn' })
  }
  for (const minute of [BEGIN, BEGIN + 200, -25 * HOUR]) log(minute, 'web', 'starting with workers=8')
  log(-15, 'web', 'starting with workers=1')
  return sent
}

function at(minute: number): string {
  return new Date(momentMs + minute * MINUTE_MS).toISOString()
}

/** A busy engine leaves a part unanswered, and the answer says so: then it is asked again. */
async function whole<Told extends { warnings: readonly { message: string }[] }>(
  asking: () => Promise<Told>,
): Promise<Told> {
  for (let tries = 1; ; tries += 1) {
    const answer = await asking()
    const isPart = answer.warnings.some(({ message }) => message.includes('did not answer'))
    if (!isPart || tries === MOST_TRIES) return answer
  }
}

function ask(parameters: Parameters, key = shop.readKey) {
  return whole(async () => {
    const { body, status } = await get(service, key, '/api/changes', parameters)
    expect(status, JSON.stringify(body)).toBe(200)
    return changesAnswer.parse(body)
  })
}
const question = () => ({ at: at(0), environment: 'production' })
const titles = (changes: readonly ChangeView[]) => changes.map(({ kind, title }) => `${kind}: ${title}`)

describe('what changed', () => {
  it('is told of everything, with when it was', async () => {
    const { changes, warnings, window } = await ask(question())
    expect(warnings).toEqual([])
    expect(window).toEqual({ from: at(-24 * HOUR).replace('.000', ''), to: at(0).replace('.000', '') })
    expect(titles(changes).sort()).toEqual([
      'configuration: db.pool changed from 20 to 2 in web',
      'configuration: workers changed from 8 to 1 in web',
      'deploy: Deploy of c0ffee1 to production',
      'host: Host web-1 fell silent',
      'host: Host web-2 appeared',
      'pattern: Message gone: "letter <*> sent"',
      'pattern: New message: "the cache is cold"',
      'service: mail fell silent',
      'version: Release 1.4.2 appeared',
    ])
    const told = (name: string) => changes.find((one) => one.name === name)
    expect(told('workers')).toMatchObject({ elapsedSeconds: 900, from: '8', to: '1' })
    expect(told('db.pool')).toMatchObject({ elapsedSeconds: 5 * 3_600, from: '20', to: '2' })
    expect(titles(changes)[0]).toBe('configuration: workers changed from 8 to 1 in web')
  })

  it('is the same without an environment, where there is only one', async () => {
    const named = await ask(question())
    const all = await ask({ at: at(0) })
    expect(titles(all.changes)).toEqual(titles(named.changes))
  })

  it('is found again by its query', async () => {
    const { changes, window } = await ask(question())
    const { query } = changes.find(({ title }) => title.includes('cache is cold')) ?? {}
    const { body } = await get(service, shop.readKey, '/api/logs', { ...window, query: query ?? '', limit: 500 })
    const rows = body.rows.filter(({ kind }: { kind: string }) => kind === 'log')
    expect(rows).toHaveLength((2 * HOUR) / STEP)
  })

  it('is of the own project only', async () => {
    const { changes } = await ask(question(), bank.readKey)
    expect(titles(changes)).toEqual(['deploy: Deploy of bad0bad to production'])
    const foreign = await get(service, bank.readKey, '/api/changes', { at: `deploy:${deployId}` })
    expect([foreign.status, foreign.body.error.code]).toEqual([400, 'invalid_request'])
  })

  it('is refused with every fault by name', async () => {
    const faults = [
      { lookback: '0' },
      { lookback: '8d' },
      { at: '-1h', analysisId: 'ana_1' },
      { at: 'noon' },
      { when: '1h' },
    ]
    for (const parameters of faults) {
      const { status, body } = await get(service, shop.readKey, '/api/changes', parameters as Parameters)
      expect([status, body.error.code], JSON.stringify(parameters)).toEqual([400, 'invalid_request'])
    }
    expect((await get(service, shop.readKey, '/api/changes', { analysisId: 'ana_1' })).status).toBe(404)
  })
})

it('an agent is told the same, with the calls to go on with', async () => {
  const client = await connect('the first client', service.url, shop.readKey)
  const { content, structuredContent } = await whole(async () => {
    const told = await client.callTool('what_changed', question())
    return { ...told, warnings: told.structuredContent.warnings as { message: string }[] }
  })
  expect(titles(structuredContent.changes)).toEqual(titles((await ask(question())).changes))
  expect(content[0]?.text).toContain(`Deploy of c0ffee1 to production ${deployId}`)
  const { tool, arguments: args } = structuredContent.next[0]
  expect([tool, args]).toEqual(['get_deploy', { id: deployId }])
})

it('a terminal shows them', async () => {
  const env = { TIDEMARK_URL: service.url, TIDEMARK_READ_KEY: shop.readKey }
  const { stdout } = await tidemark(['changes', '--at', at(0), '--environment', 'production'], { env })
  expect(stdout).toMatch(/^0\.\d\d {2}configuration {2}workers changed from 8 to 1 in web$/m)
  expect(stdout).toMatch(/^0\.\d\d {2}deploy {9}Deploy of c0ffee1 to production$/m)
})
