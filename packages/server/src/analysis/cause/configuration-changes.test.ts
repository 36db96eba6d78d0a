import { describe, expect, it } from 'vitest'
import type { Profile } from '../../model/profile.ts'
import { changedAtStart, changedInRecords, type Start, toldChanges } from './configuration-changes.ts'

const start = (timeUs: number, message: string, attributes: Record<string, string | number> = {}): Start => ({
  timeUs,
  message,
  attributes: new Map(Object.entries(attributes)),
})
const changes = (fresh: Start[], earlier: Start[]) =>
  changedAtStart(fresh, earlier).map(({ name, from, to }) => `${name}: ${from} → ${to}`)

describe('a setting that changed at a start', () => {
  it('is an attribute with another value than at the starts before', () => {
    const earlier = [
      start(1, 'payments started', { 'db.pool': 20, pid: 77 }),
      start(2, 'payments started', { 'db.pool': 20, pid: 78 }),
    ]
    expect(changes([start(9, 'payments started', { 'db.pool': 2, pid: 91 })], earlier)).toEqual(['db.pool: 20 → 2'])
  })

  it('is a value in the message, also a word', () => {
    const earlier = [start(1, 'config loaded: mode=fast timeout=3000')]
    expect(changes([start(9, 'config loaded: mode=safe timeout=3000')], earlier)).toEqual(['mode: fast → safe'])
  })

  it('is told with the time of the first start that has it', () => {
    const fresh = [start(12, 'started', { pool: 2 }), start(9, 'started', { pool: 2 })]
    expect(changedAtStart(fresh, [start(1, 'started', { pool: 20 })])).toEqual([
      { name: 'pool', from: '20', to: '2', atUs: 9 },
    ])
  })

  it('is found beside the start of a deploy that has the old value still', () => {
    const earlier = [start(1, 'started', { pool: 20 })]
    expect(changes([start(5, 'started', { pool: 20 }), start(9, 'started', { pool: 2 })], earlier)).toEqual([
      'pool: 20 → 2',
    ])
    expect(changes([start(5, 'started', { pool: 2 })], [start(1, 'started', { pool: 2 })])).toEqual([])
  })

  it('is nothing that differs from start to start, names a machine or a revision, or was there before', () => {
    const earlier = [
      start(1, 'started in 312 ms', { cache: 812, release: 'a1', pool: 20 }),
      start(2, 'started in 298 ms', { cache: 799, release: 'a1', pool: 30 }),
    ]
    const fresh = [start(9, 'started in 305 ms', { cache: 640, release: 'b2', pool: 20, elapsed: 3 })]
    expect(changes(fresh, earlier)).toEqual([])
    expect(changes([start(9, 'started', { region: 'eu' })], [])).toEqual([])
  })

  it('is not mixed up between two lines of code that use one name', () => {
    expect(changes([start(9, 'reader started', { size: 5 })], [start(1, 'writer started', { size: 50 })])).toEqual([])
  })
})

describe('a change that a record tells itself', () => {
  it.each([
    [
      'configuration reloaded: catalog.search.timeout_ms changed from 2000 to 200',
      'catalog.search.timeout_ms: 2000 → 200',
    ],
    ['settings applied: pool_size 20 -> 2', 'pool_size: 20 → 2'],
    ['flag "new-checkout" was switched from off to on.', 'new-checkout: off → on'],
    ['config updated, db.host: a.example → b.example', 'db.host: a.example → b.example'],
  ])('%s', (message, expected) => {
    expect(toldChanges([start(1, message)]).map(({ name, from, to }) => `${name}: ${from} → ${to}`)).toEqual([expected])
  })

  it('is none where nothing changes', () => {
    for (const message of ['configuration reloaded', 'started from /srv to serve', 'mode changed from a to a']) {
      expect(toldChanges([start(1, message)])).toEqual([])
    }
  })
})

describe('a setting that changed in ordinary records', () => {
  const profile = (name: string, values: Record<string, number>): Profile => {
    const records = Object.values(values).reduce((sum, count) => sum + count, 0)
    const listed = Object.entries(values).map(([value, count]) => ({ value, count }))
    return { records, fields: [{ field: { kind: 'attribute', name }, records, values: listed }] }
  }

  it('is a version or a flag of which nearly all records have a new value', () => {
    expect(changedInRecords(profile('db.version', { v15: 100 }), profile('db.version', { v16: 98, v15: 2 }))).toEqual([
      { name: 'db.version', from: 'v15', to: 'v16', atUs: null },
    ])
  })

  it('is not what varied before, what few have, or what is no setting', () => {
    expect(changedInRecords(profile('db.version', { 15: 60, 14: 40 }), profile('db.version', { 16: 100 }))).toEqual([])
    expect(changedInRecords(profile('db.version', { 15: 5 }), profile('db.version', { 16: 100 }))).toEqual([])
    expect(changedInRecords(profile('tenant', { a: 100 }), profile('tenant', { b: 100 }))).toEqual([])
  })
})
