/** Patterns of a query, against the built service and the real engine: over HTTP, over MCP and in a terminal. */
import { beforeAll, describe, expect, it } from 'vitest'
import { type LogPattern, patternsAnswer } from '../../packages/wire/src/reading/patterns.ts'
import { connect } from '../support/clients/mcp-clients.ts'
import { get, type Parameters } from '../support/clients/reading-api.ts'
import { type AroundDeploy, aroundDeploy, EACH } from '../support/service/around-deploy.ts'
import { tidemark } from '../support/service/service.ts'

const NAMES = 'ada bo cleo dan eve fay gil hugo ida jo kim lea max nora otto pia quin rosa sam tess'.split(' ')

let service: AroundDeploy['service']
let project: AroundDeploy['project']
let deployId: string
let at: AroundDeploy['at']

beforeAll(async () => {
  ;({ service, project, deployId, at } = await aroundDeploy('patterns', { record }))
}, 240_000)

/** The deploy brings a failing provider and ends a nightly import; names are in every third message. */
function record(isAfter: boolean, index: number) {
  if (index % 3 === 0) {
    return { message: `session of user ${NAMES[index % NAMES.length]} was closed by timeout`, level: 'info' }
  }
  if (index % 10 !== 1) return { message: `request ${index} served in ${index % 90} ms`, level: 'info' }
  return isAfter
    ? { message: `payment ${index} refused by provider`, level: 'error' }
    : { message: `imported ${index} rows from the old catalogue`, level: 'info' }
}

async function list(parameters: Parameters) {
  const { body } = await get(service, project.readKey, '/api/logs/patterns', parameters)
  return patternsAnswer.parse(body)
}

async function count(parameters: Parameters): Promise<number> {
  const { body } = await get(service, project.readKey, '/api/logs/count', parameters)
  return body.total as number
}

const told = ({ pattern, state, count: records, baseCount }: LogPattern) => [pattern, state, records, baseCount]

describe('the patterns after a deploy', () => {
  it('are told with what became of them, over all records, and names are merged', async () => {
    const answer = await list({ deployId })
    expect(answer).toMatchObject({
      ...{ records: EACH, baseRecords: EACH, environment: 'production' },
      ...{ otherPatterns: 0, otherRecords: 0, warnings: [], empty: null },
    })
    expect(answer.patterns.map(told)).toEqual([
      ['payment <*> refused by provider', 'new', 20, 0],
      ['imported <*> rows from the old catalogue', 'gone', 0, 20],
      [expect.stringMatching(/^request <\*> served in <\*>/), 'steady', 180, 180],
      ['session of user <*> was closed by timeout', 'steady', 100, 100],
    ])
    expect(answer.patterns[0]).toMatchObject({
      share: 20 / EACH,
      levels: ['error'],
      services: ['checkout'],
      firstSeen: at(1).replace('.000', ''),
      sample: 'payment 281 refused by provider',
    })
    expect(answer.patterns[0]?.trend.reduce((sum, one) => sum + one, 0)).toBe(20)
  })

  it('open as what was counted', async () => {
    const { patterns, window, baseWindow } = await list({ deployId })
    for (const { query, count: records, baseCount, queryCount, state } of patterns) {
      const inWindow = await count({ query: query ?? '', ...window, environment: 'production' })
      const inBase = await count({ query: query ?? '', ...baseWindow!, environment: 'production' })
      expect([inWindow, inBase]).toEqual([records, baseCount])
      expect(queryCount).toBe(state === 'gone' ? inBase : inWindow)
    }
  })
})

describe('the patterns of a query', () => {
  it('are those of its records, the same when asked again', async () => {
    const window = { from: at(-EACH), to: at(EACH), query: 'level:error OR session' }
    const first = await list(window)
    expect(first.patterns.map(({ pattern, count: records, state }) => [pattern, records, state])).toEqual([
      ['session of user <*> was closed by timeout', 200, null],
      ['payment <*> refused by provider', 20, null],
    ])
    expect(await list(window)).toEqual(first)
    const { query } = first.patterns[1]!
    expect(await count({ ...window, query: query ?? '' })).toBe(20)
  })

  it('that finds nothing say why', async () => {
    const { patterns, empty } = await list({ query: 'nonsense', from: at(-EACH) })
    expect(patterns).toEqual([])
    expect(empty).toMatch(/^600 records are in this window, but none matches the query/)
  })
})

describe('counts by pattern', () => {
  it('have texts in place of numbers', async () => {
    const window = { from: at(-EACH), to: at(EACH), groupBy: 'pattern,level', limit: 2 }
    const { body } = await get(service, project.readKey, '/api/logs/count', window)
    expect(body).toMatchObject({
      total: 2 * EACH,
      groups: [
        { values: [expect.stringMatching(/^request <\*> served in <\*>/), 'info'], count: 360 },
        { values: ['session of user <*> was closed by timeout', 'info'], count: 200 },
      ],
      otherGroups: 2,
    })
  })
})

describe('an agent', () => {
  it('is told the same, with the call that opens the first pattern', async () => {
    const client = await connect('the first client', service.url, project.readKey)
    const { content, structuredContent } = await client.callTool('list_log_patterns', { deployId })
    expect(structuredContent.patterns.map(told)).toEqual((await list({ deployId })).patterns.map(told))
    expect(content[0]?.text).toContain('20 (6.7 %) new, base 0 | payment <*> refused by provider')
    const { tool, arguments: args } = structuredContent.next[0]
    const opened = await client.callTool(tool, { ...args, limit: 500, maxTokens: 20_000 })
    const logs = opened.structuredContent.rows.filter(({ kind }: { kind: string }) => kind === 'log')
    expect(logs).toHaveLength(20)
  })
})

describe('tidemark logs --patterns', () => {
  it('shows them as a table', async () => {
    const env = { TIDEMARK_URL: service.url, TIDEMARK_READ_KEY: project.readKey }
    const { stdout } = await tidemark(['logs', '--patterns', '--deploy', deployId], { env })
    expect(stdout.split('\n')).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^COUNT +SHARE +BEFORE +STATE +PATTERN$/),
        expect.stringMatching(/^ +20 +6\.7 % +0 +new +payment <\*> refused by provider$/),
        expect.stringMatching(/^ +0 +0 % +20 +gone +imported <\*> rows from the old catalogue$/),
      ]),
    )
  })

  it('compares them with the time before, as the page does', async () => {
    const env = { TIDEMARK_URL: service.url, TIDEMARK_READ_KEY: project.readKey }
    const window = [`--since=${at(0)}`, `--until=${at(EACH)}`]
    const { stdout } = await tidemark(['logs', '--patterns', '--compare-previous', '--json', ...window], { env })
    const patterns = stdout
      .trim()
      .split('\n')
      .map((line): LogPattern => JSON.parse(line))
    expect(patterns.map(told)).toEqual((await list({ deployId })).patterns.map(told))
  })
})
