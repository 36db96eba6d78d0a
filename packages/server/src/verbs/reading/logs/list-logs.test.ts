/** Paging over a timeline of records and deploys that stand in arrays: what every order, page size and mixture must keep. */
import type { SearchInput } from '@tidemark/wire/reading/search'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Deploys } from '../../../control/deploys.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { LogSearch, Order, StoredRecord } from '../../../logstore/questions.ts'
import { logId, parseLogId, sequenceToBigInt } from '../../../logstore/schema/log-id.ts'
import { sampleRecord } from '../../../logstore/testing/segment.ts'
import type { Caller } from '../../../model/caller.ts'
import type { Deploy } from '../../../model/deploy.ts'
import type { ProjectId } from '../../../model/project.ts'
import type { Reading } from '../../open-reading.ts'
import { openReading } from '../../open-reading.ts'

const NOW_US = Date.parse('2026-03-01T12:00:00Z') * 1_000
const START_US = NOW_US - 3_600_000_000

const project = { id: 'prj_a' as ProjectId, name: 'a', retentionDays: 30 }
const caller = { kind: 'key', keyId: 'key_a', keyKind: 'read', project } as unknown as Caller

/** Few moments for many rows, so that most of them share one. */
const moment = fc.integer({ min: 0, max: 12 })
const timeline = fc.record({
  records: fc.array(moment, { maxLength: 40 }),
  deploys: fc.array(fc.record({ at: moment, createdMs: fc.integer({ min: 0, max: 2 }), succeeded: fc.boolean() }), {
    maxLength: 25,
  }),
  order: fc.constantFrom<Order>('newest', 'oldest'),
  limit: fc.integer({ min: 1, max: 30 }),
  /** A store may give fewer records than asked for. */
  storeLimit: fc.integer({ min: 1, max: 50 }),
})

describe('walking through a timeline', () => {
  it('gives every record and every succeeded deploy exactly once, in order, whatever the page size', async () => {
    await fc.assert(
      fc.asyncProperty(timeline, async ({ records, deploys, order, limit, storeLimit }) => {
        const allRecords = records.map((at, index) => record(at, index))
        const allDeploys = deploys.map((some, index) => deploy({ ...some, index }))
        const reading = readingOver({ records: allRecords, deploys: allDeploys, storeLimit })
        const pages = await walk(reading, { order, limit })
        expect(pages.every((page) => page.length > 0 && page.length <= limit)).toBe(true)
        expect(pages.flat()).toEqual(mergedWhole(allRecords, allDeploys, order))
      }),
      { numRuns: 400 },
    )
  })

  it('goes on after an answer that was shortened, wherever it ends', async () => {
    await fc.assert(
      fc.asyncProperty(
        timeline,
        fc.integer({ min: 1, max: 30 }),
        async ({ records, deploys, order, limit, storeLimit }, kept) => {
          const allRecords = records.map((at, index) => record(at, index))
          const allDeploys = deploys.map((some, index) => deploy({ ...some, index }))
          const reading = readingOver({ records: allRecords, deploys: allDeploys, storeLimit })
          const pages = await walk(reading, { order, limit }, kept)
          expect(pages.every((page) => page.length <= kept)).toBe(true)
          expect(pages.flat()).toEqual(mergedWhole(allRecords, allDeploys, order))
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is not disturbed by records and deploys that arrive meanwhile', async () => {
    const records = Array.from({ length: 20 }, (_, index) => record(index % 10, index))
    const deploys = [1, 4, 7].map((at, index) => deploy({ at, createdMs: 0, succeeded: true, index }))
    const whole = mergedWhole(records, deploys, 'newest')
    const reading = readingOver({ records, deploys, storeLimit: 100 })
    const walked: string[] = []
    let cursor: string | undefined
    for (let page = 0; ; page++) {
      const answer = await reading.listLogs(caller, { limit: 4, cursor })
      walked.push(...answer.rows.map(({ id }) => id))
      if (answer.nextCursor === null) break
      cursor = answer.nextCursor
      // Newer than all that was given, and newer than the end of the window.
      records.push(record(11, 100 + page), record(3_700_000_000, 200 + page))
      deploys.push(deploy({ at: 11, createdMs: page, succeeded: true, index: 100 + page }))
    }
    expect(walked).toEqual(whole)
  })
})

describe('a page', () => {
  const deploys = [0, 1].map((index) =>
    deploy({ at: 5, createdMs: 0, succeeded: true, index, environment: index === 0 ? 'production' : 'staging' }),
  )
  const ids = async (input: SearchInput) => {
    const { rows } = await readingOver({ records: [], deploys, storeLimit: 9 }).listLogs(caller, input)
    return rows.map(({ id }) => id)
  }

  it('shows deploys where there are no records, and no other term than the environment hides them', async () => {
    expect(await ids({ query: 'timeout service:api' })).toEqual(['dep_001', 'dep_000'])
    expect(await ids({ query: 'timeout environment:staging' })).toEqual(['dep_001'])
    expect(await ids({ query: 'timeout -environment:staging' })).toEqual(['dep_000'])
    expect(await ids({ environment: 'production' })).toEqual(['dep_000'])
    expect(await ids({ query: 'environment:staging OR timeout' })).toEqual(['dep_001', 'dep_000'])
  })

  it('says why there are no records also where deploys stand, and once', async () => {
    const reading = readingOver({ records: [], deploys, storeLimit: 9 })
    const first = await reading.listLogs(caller, { limit: 1 })
    expect(first.rows.map(({ kind }) => kind)).toEqual(['deploy'])
    expect(first.empty).toMatch(/^The project has no records yet/)
    const second = await reading.listLogs(caller, { limit: 1, cursor: first.nextCursor ?? undefined })
    expect(second).toMatchObject({ rows: [{ kind: 'deploy' }], empty: null })
    const filled = readingOver({ records: [record(5, 0)], deploys, storeLimit: 9 })
    expect((await filled.listLogs(caller, { limit: 1 })).empty).toBeNull()
  })

  it('puts a deploy before the record of the same moment', async () => {
    const reading = readingOver({ records: [record(5, 0)], deploys: deploys.slice(0, 1), storeLimit: 9 })
    const kinds = async (order: Order) => (await reading.listLogs(caller, { order })).rows.map(({ kind }) => kind)
    expect(await kinds('oldest')).toEqual(['deploy', 'log'])
    expect(await kinds('newest')).toEqual(['log', 'deploy'])
  })

  it('ends early when its records are very large, and the next one goes on', async () => {
    const records = Array.from({ length: 6 }, (_, index) => ({
      ...record(index, index),
      message: 'x'.repeat(3_000_000),
    }))
    const reading = readingOver({ records, deploys: [], storeLimit: 9 })
    const pages = await walk(reading, { limit: 6 })
    expect(pages.map((page) => page.length)).toEqual([2, 2, 2])
    expect(pages.flat()).toEqual(mergedWhole(records, [], 'newest'))
  })

  it('is refused with a cursor of another project or another query', async () => {
    const records = Array.from({ length: 6 }, (_, index) => record(index, index))
    const reading = readingOver({ records, deploys: [], storeLimit: 9 })
    const { nextCursor } = await reading.listLogs(caller, { limit: 2 })
    const cursor = nextCursor ?? ''
    const stranger = { ...caller, project: { ...project, id: 'prj_b' } } as unknown as Caller
    await expect(reading.listLogs(stranger, { limit: 2, cursor })).rejects.toThrow('another project')
    await expect(reading.listLogs(caller, { query: 'x', cursor })).rejects.toThrow('another question')
    await expect(reading.listDeploys(caller, { cursor })).rejects.toThrow('another question')
  })

  it('is refused to an ingest key and to nobody in particular', async () => {
    const reading = readingOver({ records: [], deploys: [], storeLimit: 9 })
    const ingest = { ...caller, keyKind: 'ingest' } as Caller
    await expect(reading.listLogs(ingest, {})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(reading.listLogs({ kind: 'operator' }, {})).rejects.toMatchObject({ code: 'forbidden' })
  })
})

/** With `kept`, each answer is shortened to that many rows. */
async function walk(reading: Reading, input: SearchInput, kept?: number): Promise<string[][]> {
  const pages: string[][] = []
  for (let cursor: string | undefined; pages.length < 200; ) {
    const asked = { ...input, cursor }
    const whole = await reading.listLogs(caller, asked)
    const answer = kept === undefined ? whole : await reading.shortenLogs(caller, asked, whole, kept)
    if (answer.rows.length === 0) {
      expect(pages).toEqual([])
      expect(answer.nextCursor).toBeNull()
      return pages
    }
    pages.push(answer.rows.map(({ id }) => id))
    if (answer.nextCursor === null) return pages
    cursor = answer.nextCursor
  }
  throw new Error('The walk does not end.')
}

function record(at: number, index: number): StoredRecord {
  const timeUs = START_US + at
  const id = logId({ timeUs, sequence: { hi: 0, lo: index } })
  return { ...sampleRecord({ timeUs }), id, pattern: '', fingerprint: null, receivedMs: 0 }
}

type SomeDeploy = { at: number; createdMs: number; succeeded: boolean; index: number; environment?: string }

function deploy({ at, createdMs, succeeded, index, environment = 'production' }: SomeDeploy): Deploy {
  return {
    id: `dep_${String(index).padStart(3, '0')}`,
    projectId: project.id,
    sha: 'abc',
    environment,
    deployedAtUs: START_US + at,
    status: succeeded ? 'succeeded' : 'failed',
    ref: null,
    message: null,
    author: null,
    externalId: null,
    url: null,
    metadata: null,
    createdAt: new Date(createdMs).toISOString(),
    updatedAt: new Date(createdMs).toISOString(),
  }
}

/** The definition of the order, apart from how pages are made. */
function mergedWhole(records: StoredRecord[], deploys: Deploy[], order: Order): string[] {
  const keyed = [
    ...deploys
      .filter(({ status }) => status === 'succeeded')
      .map(({ id, deployedAtUs, createdAt }) => ({ id, key: [deployedAtUs, 0, Date.parse(createdAt), id] })),
    ...records.map(({ id, timeUs }) => ({ id, key: [timeUs, 1, 0, id] })),
  ]
  keyed.sort((a, b) => compare(a.key, b.key))
  return (order === 'newest' ? keyed.reverse() : keyed).map(({ id }) => id)
}

function compare(a: (number | string)[], b: (number | string)[]): number {
  for (const [index, value] of a.entries()) {
    const other = b[index]!
    if (value !== other) return value < other ? -1 : 1
  }
  return 0
}

function readingOver({
  records,
  deploys,
  storeLimit,
}: {
  records: StoredRecord[]
  deploys: Deploy[]
  storeLimit: number
}) {
  const inOrder = (rows: StoredRecord[], order: Order) => {
    const sorted = rows.toSorted((a, b) => compare([a.timeUs, a.id], [b.timeUs, b.id]))
    return order === 'newest' ? sorted.reverse() : sorted
  }
  const search = async ({ range, order, after, limit }: LogSearch) => {
    const key = after === undefined ? null : parseLogId(after)
    const rest = inOrder(records, order).filter(({ timeUs, id }) => {
      if (timeUs < range.fromUs || timeUs >= range.toUs) return false
      if (key === null) return true
      const own = sequenceToBigInt(parseLogId(id)!.sequence) < sequenceToBigInt(key.sequence) ? -1 : 1
      const side = timeUs === key.timeUs ? (id === after ? 0 : own) : timeUs - key.timeUs
      return order === 'newest' ? side < 0 : side > 0
    })
    const given = rest.slice(0, Math.min(limit, storeLimit))
    return { records: given, isEnd: given.length === rest.length }
  }
  const list: Deploys['list'] = async (_, filter) => {
    const { limit, status, environment, fromUs = 0, toUs = NOW_US, after, order = 'newest' } = filter
    const sign = order === 'newest' ? 1 : -1
    const key = (one: Pick<Deploy, 'deployedAtUs' | 'createdAt' | 'id'>) => [one.deployedAtUs, one.createdAt, one.id]
    return deploys
      .filter((one) => one.status === status && (environment ?? one.environment) === one.environment)
      .filter((one) => one.deployedAtUs >= fromUs && one.deployedAtUs < toUs)
      .filter((one) => after === undefined || sign * compare(key(one), key(after)) < 0)
      .toSorted((a, b) => sign * compare(key(b), key(a)))
      .slice(0, limit)
  }
  const get: Deploys['get'] = async (_, id) => deploys.find((one) => one.id === id) ?? null
  const logs = {
    search,
    lastTimeUs: async () => null,
    fields: async () => ({ total: null, sampled: 0, fields: [] }),
  } as unknown as ProjectLogs
  return openReading({
    control: {
      deploys: { list, get } as unknown as Deploys,
      groupingRules: { list: async () => [] },
      analyses: { existing: async () => new Set() },
    } as never,
    logStore: { project: () => logs },
    secretKey: 'secret',
    publicUrl: 'http://localhost:4700',
    now: () => NOW_US / 1_000,
  })
}
