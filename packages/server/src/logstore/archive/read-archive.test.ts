import { Readable } from 'node:stream'
import { type ClickHouseClient, ClickHouseError } from '@clickhouse/client'
import { describe, expect, it } from 'vitest'
import { readArchive } from './read-archive.ts'

const DAY = 20_000
const SETTLED = { before: 'seg_9', spooled: [] }
const TOO_LARGE = () => failing('396', 'Limit for result exceeded')

type Asked = { query_params: { first: string; last: string; records: number; piece: number; pieces: number } }

describe('the reading of an archive', () => {
  it('splits a range that does not fit, and a segment that does not fit by itself, and reads every record once', async () => {
    const held = new Map([
      ['seg_1', range(0, 40)],
      ['seg_2', range(100, 1_100)],
      ['seg_3', range(2_000, 2_003)],
    ])
    const engine = pretendEngine(held, { fits: 60 })
    const parts = await all(readArchive(() => engine, SETTLED).parts(DAY))
    const read = parts.flatMap((part) => JSON.parse(part.toString()) as number[])
    expect(read.sort((a, b) => a - b)).toEqual([...held.values()].flat())
    expect(parts.every((part) => (JSON.parse(part.toString()) as number[]).length <= 60)).toBe(true)
  })

  it('gives up on a single record that does not fit', async () => {
    const engine = pretendEngine(new Map([['seg_1', [7]]]), { fits: 0 })
    await expect(all(readArchive(() => engine, SETTLED).parts(DAY))).rejects.toThrow('A record of seg_1 is too large')
  })

  it('waits for an engine that is being replaced, and not for ever', async () => {
    const pauses: number[] = []
    let failures = 3
    const engine = pretendEngine(new Map([['seg_1', [1, 2]]]), {
      fits: 10,
      before: () => {
        if (failures-- > 0) throw failing('236', 'the engine is going down')
      },
    })
    const pause = async (ms: number) => void pauses.push(ms)
    expect(await all(readArchive(() => engine, SETTLED, { pause }).parts(DAY))).toHaveLength(1)
    expect(pauses).toHaveLength(3)
    failures = Number.POSITIVE_INFINITY
    await expect(readArchive(() => engine, SETTLED, { pause }).days()).rejects.toMatchObject({
      code: 'engine_restarting',
    })
  })
})

/** Answers the two questions as the engine would: ranges of segments, and the records of one (here their numbers). */
function pretendEngine(
  held: Map<string, number[]>,
  { fits, before = () => {} }: { fits: number; before?: () => void },
): ClickHouseClient {
  const inRange = ({ first, last }: Asked['query_params']) =>
    [...held].filter(([segment]) => segment >= first && segment <= last)
  return {
    async query({ query_params }: Asked) {
      before()
      const found: { first: string; last: string; records: number; upto: number }[] = []
      let upto = 0
      for (const [segment, records] of inRange(query_params)) {
        const group = Math.floor(upto / query_params.records)
        const open = found.at(-1)
        if (open && open.upto === group) Object.assign(open, { last: segment, records: open.records + records.length })
        else found.push({ first: segment, last: segment, records: records.length, upto: group })
        upto += records.length
      }
      return { json: async () => found }
    },
    async exec({ query_params }: Asked) {
      before()
      const { piece, pieces } = query_params
      const records = inRange(query_params).flatMap(([, numbers]) => numbers.filter((one) => one % pieces === piece))
      if (records.length > fits) throw TOO_LARGE()
      return { stream: Readable.from([Buffer.from(JSON.stringify(records))]) }
    },
  } as unknown as ClickHouseClient
}

function failing(code: string, message: string): ClickHouseError {
  return Object.assign(Object.create(ClickHouseError.prototype) as ClickHouseError, { code, message })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at)
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = []
  for await (const item of items) found.push(item)
  return found
}
