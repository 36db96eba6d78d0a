/** Counting the errors of segments, asked of the real engine and held against a count in plain JavaScript. */
import type { ClickHouseClient } from '@clickhouse/client'
import { DAY_US } from '@tidemark/wire/time/units'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { newId } from '../../model/id.ts'
import type { ProjectId } from '../../model/project.ts'
import type { ErrorCount, LogStore } from '../log-store.ts'
import { type SegmentRecord, TODAY, writeSegment } from '../testing/segment.ts'
import { missingEngine, STORE_TIMEOUT_MS, testStore } from '../testing/test-store.ts'
import { MAX_KINDS } from './bounded-counts.ts'

vi.setConfig({ testTimeout: 120_000 })

const START_US = (TODAY - 2) * DAY_US
const one = newId('prj') as ProjectId
const two = newId('prj') as ProjectId

let dataDir: string
let store: LogStore
let client: ClickHouseClient
beforeAll(async () => {
  if (missingEngine !== undefined) return
  ;({ store, dataDir, client } = await testStore())
}, STORE_TIMEOUT_MS)
beforeEach((context) => {
  if (missingEngine !== undefined) context.skip(missingEngine)
})

type TestRecord = SegmentRecord & { timeUs: number }

const error = (kind: number, timeUs: number, some: Partial<TestRecord> = {}): TestRecord => ({
  project: one,
  timeUs,
  level: 'error',
  ...some,
  row: { fingerprint: { hi: 1, lo: kind }, pattern: { hi: 0, lo: kind % 3 } },
})
const nameOf = (kind: number) => `00000001${kind.toString(16).padStart(8, '0')}`

async function load(records: TestRecord[]) {
  const segment = writeSegment(dataDir, newId('seg'), records)
  await store.load(segment)
  return { id: segment.id, days: segment.days.map(({ day }) => day) }
}

const short = ({ projectId, environment, fingerprint, splitValue, count, firstUs, lastUs }: ErrorCount) => ({
  projectId,
  environment,
  fingerprint,
  splitValue,
  count,
  firstUs,
  lastUs,
})
const sorted = <Row extends object>(rows: Row[]) =>
  rows.map((row) => JSON.stringify(row, Object.keys(row).sort())).sort()
const sum = (rows: ErrorCount[]) => rows.reduce((total, { count }) => total + count, 0)

/** Many kinds, environments, days and services, and records that are no errors. */
function mixed(): TestRecord[] {
  return Array.from({ length: 900 }, (_, n) => {
    const timeUs = START_US + ((n * 7919) % 48) * 3_600_000_000 + n
    const record = error(n % 17, timeUs, {
      project: n % 5 === 0 ? two : one,
      environment: n % 3 === 0 ? 'staging' : 'production',
      service: `service ${n % 4}`,
      host: n % 2 === 0 ? 'a' : '',
    })
    return n % 11 === 0 ? { ...record, level: 'info', row: { fingerprint: null } } : record
  })
}

function counted(records: TestRecord[], partOf: (record: TestRecord) => string, cuts: number[] = []) {
  const groups = new Map<string, ReturnType<typeof short>>()
  for (const record of records) {
    const { project, timeUs, environment = 'production', row } = record
    if (!row?.fingerprint) continue
    const fingerprint = nameOf(row.fingerprint.lo)
    const part = cuts.filter((cut) => timeUs > cut).length
    const splitValue = partOf(record)
    const key = [project, environment, fingerprint, splitValue, Math.floor(timeUs / DAY_US), part].join('|')
    const group = groups.get(key)
    if (group) {
      group.count++
      group.firstUs = Math.min(group.firstUs, timeUs)
      group.lastUs = Math.max(group.lastUs, timeUs)
    } else {
      const projectId = project as ProjectId
      groups.set(key, { projectId, environment, fingerprint, splitValue, count: 1, firstUs: timeUs, lastUs: timeUs })
    }
  }
  return [...groups.values()]
}

describe('the errors of segments', () => {
  it('are counted by project, environment, kind and day, each with its first record', async () => {
    const records = mixed()
    const segment = await load(records)
    const other = await load([error(1, START_US)])
    const found = await store.errorsOfSegments({ segments: [segment], splits: [] })
    expect(sorted(found.map(short))).toEqual(sorted(counted(records, () => '')))
    expect(new Set(found.map(({ segmentId }) => segmentId))).toEqual(new Set([segment.id]))

    const [largest] = found.filter(({ projectId }) => projectId === two).sort((a, b) => b.count - a.count)
    expect(await store.project(two).byIds([largest?.firstLogId ?? ''])).toMatchObject([
      { timeUs: largest?.firstUs, fingerprint: largest?.fingerprint, environment: largest?.environment },
    ])
    const both = await store.errorsOfSegments({ segments: [segment, other], splits: [] })
    expect(sum(both)).toBe(sum(found) + 1)
    expect(await store.errorsOfSegments({ segments: [{ ...segment, days: [TODAY - 9] }], splits: [] })).toEqual([])
    expect(await store.errorsOfSegments({ segments: [], splits: [] })).toEqual([])
  })

  it('are told apart by the fields of split rules, for their own project only', async () => {
    const records = mixed()
    const segment = await load(records)
    const splits = [
      { projectId: one, fingerprint: nameOf(3), by: 'service' },
      { projectId: one, fingerprint: nameOf(4), by: 'host' },
      { projectId: two, fingerprint: nameOf(5), by: 'pattern' },
    ] as const
    const found = await store.errorsOfSegments({ segments: [segment], splits })
    const partOf = ({ project, row, service = '', host = '' }: TestRecord) => {
      const kind = row?.fingerprint?.lo
      if (project === one && kind === 3) return service
      if (project === one && kind === 4) return host
      return project === two && kind === 5 ? '0000000000000002' : ''
    }
    expect(sorted(found.map(short))).toEqual(sorted(counted(records, partOf)))
  })

  it('are cut at the moments asked for, which belong to what is before', async () => {
    const records = mixed()
    const segment = await load(records)
    const cutsUs = [records[20]?.timeUs ?? 0, records[300]?.timeUs ?? 0, START_US - DAY_US]
    const found = await store.errorsOfSegments({ segments: [segment], splits: [], cutsUs })
    expect(sorted(found.map(short))).toEqual(sorted(counted(records, () => '', cutsUs)))
  })

  it('of too many kinds are counted together, the rarest, and none is left out', async () => {
    const kinds = Array.from({ length: MAX_KINDS + 100 }, (_, n) => n)
    const records = kinds.flatMap((kind) => [
      error(kind, START_US + kind),
      ...(kind < 50 ? [error(kind, START_US + kind + 5)] : []),
    ])
    const segment = await load([...records, error(7, START_US, { environment: 'staging' })])
    const found = await store.errorsOfSegments({ segments: [segment], splits: [] })
    const rest = found.filter(({ fingerprint }) => fingerprint === 'overflow')
    expect(rest).toMatchObject([{ environment: 'production', splitValue: '', count: 100 }])
    expect(sum(found)).toBe(records.length + 1)
    expect(found).toHaveLength(MAX_KINDS + 2)
    expect(found.filter(({ count }) => count === 2)).toHaveLength(50)
    expect(await store.project(one).byIds([rest[0]?.firstLogId ?? ''])).toHaveLength(1)
  })

  it('are found without reading other days or segments', async () => {
    const segment = await load([error(1, START_US)])
    const plan = await client.query({
      query: `EXPLAIN indexes = 1 SELECT count() FROM logs WHERE segment IN {segments:Array(String)} AND toDate(time) IN {days:Array(Date)} AND fingerprint != 0`,
      query_params: {
        segments: [segment.id],
        days: [new Date(START_US / 1000).toISOString().slice(0, 10)],
      },
      format: 'TabSeparatedRaw',
    })
    const text = await plan.text()
    expect(text).toMatch(/Partition/)
    expect(text).toMatch(/by_segment/)
  })
})

describe('samples', () => {
  it('are the errors asked for, of the project alone, with the ends of long texts', async () => {
    const stack = `Error: x\n${'    at f (/app/a.js:1:2)\n'.repeat(4_000)}    at last (/app/z.js:9:9)`
    const segment = await load([
      error(1, START_US + 1, {
        project: two,
        message: 'boom 🙂',
        service: 'pay',
        logger: 'db',
        environmentDefaulted: true,
        error: { type: 'Error', message: 'm'.repeat(50_000), stack },
      }),
      error(2, START_US + 2, { project: two, message: 'plain' }),
      error(3, START_US + 3, { project: one }),
    ])
    const ids = (await store.errorsOfSegments({ segments: [segment], splits: [] })).map((row) => row.firstLogId)
    const found = await store.project(two).samples([...ids, 'log_nonsense'])
    expect(found).toHaveLength(2)
    const [long, plain] = found.sort((a, b) => (a.id < b.id ? -1 : 1))
    expect(plain).toMatchObject({ message: 'plain', error: null, level: 'error' })
    expect(long).toMatchObject({ message: 'boom 🙂', service: 'pay', logger: 'db', environmentDefaulted: true })
    expect(long?.error?.message).toHaveLength(16_384)
    expect(long?.error?.stack).toHaveLength(2 * 16_384 + 1)
    expect(long?.error?.stack.startsWith('Error: x\n')).toBe(true)
    expect(long?.error?.stack.endsWith('at last (/app/z.js:9:9)')).toBe(true)
  })
})
