/** What differs between two windows of records, against the built service and the real engine. */
import { beforeAll, describe, expect, it } from 'vitest'
import { compareAnswer } from '../../packages/wire/src/reading/compare.ts'
import { get, type Parameters } from '../support/clients/reading-api.ts'
import { type AroundDeploy, aroundDeploy, EACH } from '../support/service/around-deploy.ts'

let service: AroundDeploy['service']
let project: AroundDeploy['project']
let deployId: string
let at: AroundDeploy['at']

beforeAll(async () => {
  ;({ service, project, deployId, at } = await aroundDeploy('comparing', { record, more: elsewhere }))
}, 240_000)

/** Four to a request. The deploy brings another release, a failing payment provider and another host. */
function record(isAfter: boolean, index: number) {
  const fails = isAfter && index % 10 === 0
  return {
    message: fails ? `payment ${index} refused by provider` : `request ${index} served in ${index % 90} ms`,
    level: fails ? 'error' : 'info',
    host: isAfter && index % 2 === 0 ? 'host-new' : 'host-old',
    release: isAfter ? '1.5.0' : '1.4.2',
    attributes: {
      'request.id': `${isAfter ? 'after' : 'before'}-${Math.floor(index / 4)}`,
      'duration.ms': index % 90,
      'http.status': fails ? 502 : 200,
      zone: index % 2 === 0 ? 'a' : 'b',
    },
    ...(fails
      ? { error: { type: 'CardError', message: 'refused', stack: 'CardError: refused\n at f (f.js:1:1)' } }
      : {}),
  }
}

/** The same hosts in another environment, where nothing changed: they must not count. */
function elsewhere(after: AroundDeploy['at']) {
  return Array.from({ length: EACH }, (_, index) => ({
    message: 'staged',
    timestamp: after(index),
    environment: 'staging',
    host: 'host-staging',
  }))
}

async function compare(parameters: Parameters) {
  const answer = await get(service, project.readKey, '/api/logs/compare', parameters)
  return { ...answer, told: () => compareAnswer.parse(answer.body).differences.map(named) }
}

function named({ field, value, change }: { field: string; value: string; change: string }): string {
  return `${field} ${field === 'pattern' ? '' : `${value} `}${change}`
}

describe('the time after a deploy, against the time before it', () => {
  it('differs in what the deploy changed, and in no id, duration or other environment', async () => {
    const { body, told } = await compare({ deployId })
    expect(body).toMatchObject({ records: EACH, baseRecords: EACH, sampled: EACH, baseSampled: EACH, empty: null })
    const found = told()
    expect(found.slice(0, 2)).toEqual(['release 1.5.0 appeared', 'release 1.4.2 vanished'])
    expect(new Set(found)).toEqual(
      new Set([
        'release 1.5.0 appeared',
        'release 1.4.2 vanished',
        'host host-new appeared',
        'host host-old shrank',
        'error.type CardError appeared',
        'http.status 502 appeared',
        'level error appeared',
        'pattern appeared',
      ]),
    )
  })

  it('says each in numbers and in words, a pattern with a message of it', async () => {
    const { body } = await compare({ deployId })
    const { differences } = compareAnswer.parse(body)
    expect(differences.find(({ field }) => field === 'error.type')).toEqual({
      field: 'error.type',
      value: 'CardError',
      count: 30,
      total: EACH,
      baseCount: 0,
      baseTotal: EACH,
      change: 'appeared',
      text: 'error.type CardError appeared: 30 of 300 records, none of 300 in the base',
      sample: null,
      query: null,
    })
    const pattern = differences.find(({ field, change }) => field === 'pattern' && change === 'appeared')
    expect(pattern).toMatchObject({
      count: 30,
      text: 'pattern "payment <*> refused by provider" appeared: 30 of 300 records, none of 300 in the base',
      sample: 'payment 290 refused by provider',
    })
    expect(pattern?.value).toBe('payment <*> refused by provider')
    expect(body).toMatchObject({ environment: 'production' })
    const { from, to } = body.window as { from: string; to: string }
    const drillDown = { query: pattern?.query ?? '', environment: 'production', from, to }
    const again = await get(service, project.readKey, '/api/logs/count', drillDown)
    expect(again.body.total).toBe(30)
  })
})

describe('two windows', () => {
  it('are compared as they are given, with a query', async () => {
    const windows = { from: at(0), to: at(EACH), baseFrom: at(-EACH), baseTo: at(0) }
    const { body, told } = await compare({ ...windows, query: 'environment:production level:info' })
    expect([body.records, body.baseRecords]).toEqual([270, EACH])
    expect(told()).not.toContain('error.type CardError appeared')
    expect(told()).toContain('host host-new appeared')
    expect([body.window.from, body.window.to].map((one) => Date.parse(one))).toEqual(
      [at(0), at(EACH)].map((one) => Date.parse(one)),
    )
  })

  it('that hold the same kind of records differ in nothing, which is said', async () => {
    const windows = { from: at(-150), to: at(0), baseFrom: at(-EACH), baseTo: at(-150), environment: 'production' }
    const { body } = await compare(windows)
    expect(body.differences).toEqual([])
    expect(body.empty).toMatch(/^Nothing that stands out differs between the windows, of 150 and 150 records\./)
  })

  it('of which one has no records cannot be compared, and it is said which and where there are some', async () => {
    const { body } = await compare({ from: at(0), to: at(EACH), environment: 'staging' })
    expect(body).toMatchObject({ records: EACH, baseRecords: 0, differences: [] })
    expect(body.empty).toMatch(/^There is nothing to compare, because no record of the base matches\. /)
    const none = await compare({ from: at(0), to: at(EACH), environment: 'prodution' })
    expect(none.body.empty).toMatch(/no record of the window matches\. .*Did you mean "production"\?/)
  })

  it('are refused by name when they are wrong', async () => {
    for (const [parameters, path] of [
      [{ from: at(10), to: at(0) }, 'from'],
      [{ from: at(0), baseFrom: at(0), baseTo: at(-10) }, 'baseFrom'],
      [{ deployId, from: at(0) }, 'deployId'],
      [{ deployId: 'dep_unknown' }, 'deployId'],
      [{ deployId, environment: 'staging' }, 'environment'],
      [{ query: 'level:(' }, 'query'],
    ] as const) {
      const { status, body } = await compare(parameters)
      expect([400, 404], path).toContain(status)
      expect(body.error.fields[0].path).toBe(path)
    }
  })
})
