import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { controlBackends } from '../../testing/control.ts'
import type { Control } from '../open.ts'

const NOW = Date.UTC(2026, 10, 15, 12)
const LEASE_MS = 30_000

describe.each(controlBackends())('the queue of segments on $name', (backend) => {
  let control: Control
  let other: Control
  const add = (segmentId: string, nowMs = NOW) =>
    control.analysisQueue.add({ segmentId, days: [20_000, 20_001], errors: 5 }, nowMs)
  const claim = async (node = 'nod_a', nowMs = NOW, limit = 100) => {
    const claimed = await (node === 'nod_a' ? control : other).analysisQueue.claim(node, {
      limit,
      leaseMs: LEASE_MS,
      nowMs,
    })
    return claimed.map(({ segmentId }) => segmentId)
  }
  const done = (segmentId: string) => control.analyses.record([{ segmentId, groups: [] }], NOW)

  beforeAll(async () => {
    if (backend.unavailable !== undefined) return
    ;[control, other] = await Promise.all([backend.open(), backend.open()])
  })
  beforeEach(async (test) => {
    if (backend.unavailable !== undefined) test.skip(backend.unavailable)
    for (const id of await claim('nod_a', NOW * 2)) await done(id)
  })
  afterAll(() => backend.close())

  it('hands out what waited longest, once, as it was added', async () => {
    await add('q_2', NOW)
    await add('q_1', NOW - 1)
    await add('q_1', NOW)
    expect(await control.analysisQueue.waiting()).toEqual({ segments: 2, oldestMs: NOW - 1 })
    expect(await control.analysisQueue.claim('nod_a', { limit: 1, leaseMs: LEASE_MS, nowMs: NOW })).toEqual([
      { segmentId: 'q_1', days: [20_000, 20_001], errors: 5, attempts: 0, queuedAtMs: NOW - 1 },
    ])
    expect(await claim('nod_b')).toEqual(['q_2'])
    expect(await claim()).toEqual([])
  })

  it('gives a segment to one of many nodes that ask at once', async () => {
    const ids = Array.from({ length: 30 }, (_, i) => `m_${i}`)
    for (const id of ids) await add(id)
    const claims = await Promise.all(Array.from({ length: 10 }, (_, i) => claim(i % 2 ? 'nod_a' : 'nod_b', NOW, 5)))
    expect(claims.flat().sort()).toEqual([...new Set(claims.flat())].sort())
    expect(claims.flat()).toHaveLength(30)
  })

  it('hands out again what a node that died had claimed, after its lease', async () => {
    await add('d_1')
    expect(await claim('nod_a')).toEqual(['d_1'])
    expect(await claim('nod_b', NOW + LEASE_MS - 1)).toEqual([])
    expect(await claim('nod_b', NOW + LEASE_MS)).toEqual(['d_1'])
  })

  it('keeps a segment that failed for later and counts the attempts', async () => {
    await add('f_1')
    await claim()
    await control.analysisQueue.postpone('f_1', NOW + 50)
    expect(await claim('nod_b', NOW + 49)).toEqual([])
    const [again] = await other.analysisQueue.claim('nod_b', { limit: 9, leaseMs: LEASE_MS, nowMs: NOW + 50 })
    expect(again).toMatchObject({ segmentId: 'f_1', attempts: 1 })
  })
})
