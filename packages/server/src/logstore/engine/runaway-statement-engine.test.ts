/** Statements that would run for minutes, on the real engine: they end when they must, alone, and others do not wait. */
import type { ClickHouseClient, QueryParams } from '@clickhouse/client'
import type { Query } from '@tidemark/wire/query/ast'
import { parseQuery } from '@tidemark/wire/query/parse'
import { DAY_US } from '@tidemark/wire/time/units'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import type { LogStore, ProjectLogs } from '../log-store.ts'
import { compileQuery } from '../query/compile-query.ts'
import { READ_SETTINGS } from '../query/query-limits.ts'
import { projectLogs } from '../read/project-logs.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, openTestStore, type TestStore } from '../testing/test-store.ts'

const START_US = (TODAY - 1) * DAY_US
/** So short that a search needs one statement. */
const RANGE = { fromUs: START_US, toUs: START_US + 600_000_000 }
/** As large as a pattern may be, and such that the engine has to keep every place where it could have begun. */
const WORST = '/a[ab]{990}[^ab]/'
const LONG_RECORDS = 600

const runaway = newId('prj') as ProjectId
const patient = newId('prj') as ProjectId
let opened: TestStore
let store: LogStore
let client: ClickHouseClient

// An emulated engine takes its time.
vi.setConfig({ testTimeout: 400_000 })

beforeAll(async () => {
  if (missingEngine !== undefined) return
  opened = await openTestStore()
  ;({ store, client } = opened)
  await store.load(writeSegment(opened.dataDir, 'seg_runaway', [...longRecords(), ...shortRecords()]))
}, 400_000)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})
afterAll(() => opened?.close())

describe('a statement that would run for minutes', () => {
  it('ends when nobody waits for it, and other projects are answered meanwhile', async () => {
    const gone = new AbortController()
    const logs = logsOf(runaway)
    let running = 2
    const ended = Array.from({ length: running }, () =>
      logs.total({ range: RANGE, filter: parsed(WORST), signal: gone.signal }).catch(() => running--),
    )
    await expect.poll(runningStatements, { timeout: 200_000 }).toBe(2)
    const answer = await logsOf(patient).total({ range: RANGE, filter: parsed('level:info failed') })
    expect({ answer, running }).toEqual({ answer: 10, running: 2 })
    gone.abort()
    await Promise.all(ended)
    await expect.poll(runningStatements, { timeout: 200_000 }).toBe(0)
    expect(store.health().restarts).toBe(0)
  })

  it('ends alone soon after its time limit', async () => {
    const { where, params, slices, settings } = compileQuery(parsed(WORST))
    const outcome = await client
      .query({
        query: `SELECT count() FROM logs${slices} WHERE project = {project:String} AND (${where})`,
        query_params: { ...params, project: runaway },
        clickhouse_settings: { ...READ_SETTINGS, ...settings, max_execution_time: 1 },
      })
      .catch((error) => error)
    // Its own limit, or the order to stop that comes a little later.
    expect(['159', '394']).toContain(outcome.code)
    expect(store.health().restarts).toBe(0)
  })
})

describe('patterns that are looked for in slices', () => {
  const long = 'x'.repeat(80)
  /** The numbers of the short records that each query finds. */
  const FOUND: [query: string, numbers: number[]][] = [
    [`path:/^\\/v1(${long})?\\/users/`, [1, 4, 7]],
    [`/failed( ${long})? 3$/`, [3]],
    [`/failed( ${long})? 3$/ OR path:*v1*users*`, [1, 3, 4, 7]],
    [`/failed( ${long})? [0-8]$/ -path:/^\\/v1(${long})?\\/users/`, [0, 2, 3, 5, 6, 8]],
    [`(*PAYMENT*fail*5 OR *${long}*y*) level:info`, [5]],
    [`error.stack:/at f[(]a(${long})?[.]ts:4/`, [4]],
  ]

  it('find what they mean, in every way of reading', async () => {
    const logs = logsOf(patient)
    for (const [text, numbers] of FOUND) {
      const filter = parsed(text)
      const selection = { range: RANGE, filter }
      expect(compileQuery(filter).slices, text).toContain('ARRAY JOIN')
      const { records } = await logs.search({ ...selection, order: 'oldest', limit: 100 })
      expect(
        records.map(({ message }) => Number(message.split(' ').at(-1))),
        text,
      ).toEqual(numbers)
      expect(await logs.total(selection), text).toBe(numbers.length)
      const { sampled } = await logs.fields(selection, { maxFields: 10, maxValues: 1 })
      expect(sampled, text).toBe(numbers.length)
    }
    const filter = parsed(FOUND[0]![0])
    const selection = { range: RANGE, filter }
    const service = { kind: 'core', name: 'service' } as const
    expect((await logs.groups(selection, { fields: [service], limit: 5 })).total).toBe(3)
    expect((await logs.series(selection, { bucketUs: DAY_US, field: service, limit: 5 })).total).toBe(3)
    expect(await logs.buckets(selection, { bucketUs: DAY_US })).toMatchObject([{ count: 3 }])
    const loads = await logs.loadsSince(START_US)
    expect((await logs.ofLoads(loads, { sinceUs: START_US, filter, limit: 2 })).matching).toBe(3)
  })
})

/** With limits so wide that on a busy machine only what the tests do ends a statement. */
function logsOf(project: ProjectId): ProjectLogs {
  const query = (asked: QueryParams & { format: 'JSONEachRow' }) =>
    client.query({ ...asked, clickhouse_settings: { ...asked.clickhouse_settings, max_execution_time: 300 } })
  return projectLogs(() => ({ query }) as unknown as ClickHouseClient, project)
}

/** Those that look through slices of a single row, as only the worst do. */
async function runningStatements(): Promise<number> {
  const answer = await client.query({
    query: "SELECT toUInt32(count()) AS running FROM system.processes WHERE Settings['max_block_size'] = '1'",
    format: 'JSONEachRow',
  })
  return (await answer.json<{ running: number }>())[0]?.running ?? 0
}

function longRecords(): SegmentRecord[] {
  let random = 1
  const letter = () => {
    random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
    return random > 1_073_741_824 ? 'a' : 'b'
  }
  return Array.from({ length: LONG_RECORDS }, (_, number) => ({
    project: runaway,
    timeUs: START_US + number,
    message: Array.from({ length: 4_096 }, letter).join(''),
  }))
}

function shortRecords(): SegmentRecord[] {
  return Array.from({ length: 10 }, (_, number) => ({
    project: patient,
    timeUs: START_US + number,
    service: 'shop',
    message: `Payment failed ${number}`,
    attributes: new Map([['path', number % 3 === 1 ? '/v1/users' : '/v2/users']]),
    error: { type: '', message: '', stack: `at f(a.ts:${number}` },
  }))
}

function parsed(text: string): Query {
  const outcome = parseQuery(text)
  if (!outcome.ok) throw new Error(`${text}: ${outcome.error.message}`)
  return outcome.query
}
