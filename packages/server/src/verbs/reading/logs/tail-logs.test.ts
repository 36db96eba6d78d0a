import { describe, expect, it } from 'vitest'
import { AppError } from '../../../errors.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { LoadSearch, StoredRecord } from '../../../logstore/questions.ts'
import { logId } from '../../../logstore/schema/log-id.ts'
import { sampleRecord } from '../../../logstore/testing/segment.ts'
import type { Caller } from '../../../model/caller.ts'
import { createCursors } from '../cursor.ts'
import { PatternTexts } from '../patterns/pattern-texts.ts'
import { NO_REPOSITORY } from '../reading-parts.ts'
import { type TailBatch, tailLogs } from './tail-logs.ts'

const caller = { kind: 'key', keyId: 'key_a', keyKind: 'read', project: { id: 'prj_a' } } as Caller

/** A store whose loads appear when the test says so, with a clock that the test moves. */
function open(scenario: (poll: number, store: Store) => void) {
  const store = new Store(scenario)
  const leaving = new AbortController()
  const parts = {
    control: { groupingRules: { list: async () => [] }, analyses: { existing: async () => new Set() } } as never,
    repository: NO_REPOSITORY,
    logStore: { project: () => store as unknown as ProjectLogs },
    cursors: createCursors('secret'),
    patternTexts: new PatternTexts(),
    publicUrl: '',
    now: () => store.nowMs,
    pause: async (ms: number) => void store.pausesMs.push(ms),
  }
  return { store, leaving, batches: (input = {}) => tailLogs(parts, caller, input, leaving.signal) }
}

class Store {
  nowMs = 1_800_000_000_000
  isAway = false
  polls = 0
  readonly loads = new Map<string, StoredRecord[]>()
  readonly asked: number[] = []
  readonly pausesMs: number[] = []
  readonly #scenario: (poll: number, store: Store) => void

  constructor(scenario: (poll: number, store: Store) => void) {
    this.#scenario = scenario
  }

  add(load: string, count = 1): void {
    const records = Array.from({ length: count }, (_, index) => {
      const timeUs = this.nowMs * 1_000 + index
      const id = logId({ timeUs, sequence: { hi: 0, lo: index } })
      return { ...sampleRecord({ timeUs, message: load }), id, pattern: '', fingerprint: null, receivedMs: 0 }
    })
    this.loads.set(load, records)
  }

  async loadsSince(timeUs: number): Promise<string[]> {
    this.#scenario(this.polls++, this)
    if (this.isAway) throw new AppError('engine_restarting', 'Away.')
    this.asked.push(timeUs)
    return [...this.loads.keys()]
  }

  async ofLoads(loads: readonly string[], { limit }: LoadSearch) {
    const records = loads.flatMap((load) => this.loads.get(load) ?? [])
    return { records: records.slice(-limit), matching: records.length }
  }
}

/** What comes after the empty batch that says that the tail is ready. */
async function collect(
  batches: AsyncIterable<TailBatch>,
  leaving: AbortController,
  count: number,
): Promise<TailBatch[]> {
  const found: TailBatch[] = []
  for await (const batch of batches) {
    found.push(batch)
    if (found.length === count + 1) leaving.abort()
  }
  expect(found.shift()).toEqual({ rows: [], dropped: 0 })
  return found
}

const messages = (batches: TailBatch[]) => batches.map(({ rows }) => rows.map(({ message }) => message))

describe('a tail', { timeout: 20_000 }, () => {
  it('begins with what comes after it, gives a late load once, and goes on after the store was away', async () => {
    const { store, leaving, batches } = open((poll, store) => {
      store.nowMs += 1_000
      if (poll === 0) store.add('before')
      if (poll === 1) store.add('first')
      if (poll === 2) store.isAway = true
      if (poll === 3) {
        store.isAway = false
        store.nowMs += 3_600_000
        store.add('while away')
        store.add('as well')
      }
      // A server that is behind does not make anything new again.
      if (poll === 4) store.loads.delete('first')
      if (poll === 5) {
        store.add('first')
        store.add('last')
      }
    })
    expect(messages(await collect(batches(), leaving, 3))).toEqual([['first'], ['while away', 'as well'], ['last']])
    expect(store.pausesMs).toEqual(Array(store.polls - 1).fill(1_000))
    // After an hour away it still asks for all that came in that hour.
    expect(store.asked[2]).toBe(store.asked[1]! + 1_000_000)
  })

  it('gives the newest of too many records and counts the others', async () => {
    const { leaving, batches } = open((poll, store) => {
      if (poll === 1) store.add('flood', 1_234)
    })
    const [batch] = await collect(batches(), leaving, 1)
    expect([batch?.rows.length, batch?.dropped]).toEqual([500, 734])
  })

  it('ends with an error that waiting does not mend', async () => {
    const { leaving, batches } = open((poll) => {
      if (poll === 1) throw new AppError('query_too_large', 'Narrow it.')
    })
    await expect(collect(batches(), leaving, 1)).rejects.toMatchObject({ code: 'query_too_large' })
  })

  it('is refused with a window, or with a query that is wrong, before anything is asked', async () => {
    const { store, batches } = open(() => {})
    await expect(batches({ from: '-1h' }).next()).rejects.toThrow('leave out from and to')
    await expect(batches({ query: '/(/' }).next()).rejects.toMatchObject({ code: 'invalid_request' })
    expect(store.polls).toBe(0)
  })
})
