import { describe, expect, it } from 'vitest'
import { differencesOf, type TalliedWindow, type Tally } from './differences.ts'

type Counts = Record<string, number>
type Fields = Record<string, Counts>

const OURS = ['level', 'service', 'host', 'release', 'error.type', 'pattern']

/** An hour, and in it so many records. */
function window(records: number, fields: Fields, cut: string[] = []): TalliedWindow {
  const tally = ([field, counts]: [string, Counts]): Tally => ({
    field,
    isOurs: OURS.includes(field),
    values: Object.entries(counts).map(([value, count]) => ({ value, count })),
    isCut: cut.includes(field),
  })
  return { records, seconds: 3_600, fields: Object.entries(fields).map(tally), isCut: false }
}

function told(now: TalliedWindow, base: TalliedWindow): string[] {
  return differencesOf(now, base).map(({ field, value, change }) => `${field} ${value} ${change}`)
}

const ids = (count: number, from: number, each = 8): Counts =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`req-${from + index}`, each]))

describe('the differences of two windows', () => {
  it('are values that appeared, vanished, grew or shrank, the most telling first', () => {
    const now = window(1_000, { release: { '1.5': 1_000 }, level: { info: 800, error: 200 }, zone: { a: 500, b: 500 } })
    const base = window(1_000, { release: { '1.4': 1_000 }, level: { info: 990, error: 10 }, zone: { a: 510, b: 490 } })
    expect(told(now, base)).toEqual([
      'release 1.5 appeared',
      'release 1.4 vanished',
      'level error grew',
      'level info shrank',
    ])
  })

  it('carry their counts of all records that were looked at, also where few have the field', () => {
    const now = window(400, { 'error.type': { CardError: 40 } })
    const [found] = differencesOf(now, window(900, {}))
    expect(found).toMatchObject({ field: 'error.type', value: 'CardError', change: 'appeared' })
    expect(found).toMatchObject({ count: 40, total: 400, baseCount: 0, baseTotal: 900 })
  })

  it('are none where only the number of records differs', () => {
    const now = window(3_000, { level: { info: 2_700, error: 300 }, host: { a: 1_500, b: 1_500 } })
    expect(told(now, window(1_000, { level: { info: 900, error: 100 }, host: { a: 500, b: 500 } }))).toEqual([])
  })

  it('are none where a flood of others makes the share of a value smaller, but not the value rarer', () => {
    const now = window(1_400, { service: { web: 210, worker: 1_190 } })
    expect(told(now, window(300, { service: { web: 200, worker: 100 } }))).toEqual(['service worker grew'])
  })

  it('are none where others fell silent, and a value came as often as before', () => {
    const now = window(150, { service: { web: 50, cron: 100 } })
    expect(told(now, window(1_000, { service: { web: 900, cron: 100 } }))).toEqual(['service web shrank'])
  })

  it('count by the time that the windows have: the same in an hour as in a day is no difference', () => {
    const day = { ...window(2_400, { service: { web: 2_280, cron: 120 } }), seconds: 86_400 }
    expect(told(window(100, { service: { web: 95, cron: 5 } }), day)).toEqual([])
    expect(told(window(130, { service: { web: 95, cron: 35 } }), day)).toEqual(['service cron grew'])
  })

  it('are none in a handful of records, however new, and some in a few more', () => {
    expect(told(window(500, { plan: { gold: 4 } }), window(500, {}))).toEqual([])
    expect(told(window(500, { plan: { gold: 6 } }), window(500, {}))).toEqual([])
    expect(told(window(500, { plan: { gold: 8 } }), window(500, {}))).toEqual(['plan gold appeared'])
  })

  it('are none where many records make a small shift certain', () => {
    const now = window(20_000, { zone: { a: 10_500, b: 9_500 } })
    expect(told(now, window(20_000, { zone: { a: 10_000, b: 10_000 } }))).toEqual([])
  })

  it('are none without records on both sides', () => {
    expect(told(window(0, {}), window(100, { host: { a: 100 } }))).toEqual([])
    expect(told(window(100, { host: { a: 100 } }), window(0, {}))).toEqual([])
  })
})

describe('values that are new by their nature', () => {
  it('are not told: ids, each in its own few records', () => {
    expect(told(window(400, { request: ids(50, 0) }), window(400, { request: ids(50, 1_000) }))).toEqual([])
    expect(told(window(400, { request: ids(5, 0) }), window(400, { request: ids(9, 1_000) }))).toEqual([])
    expect(told(window(400, { request: ids(50, 0) }), window(400, {}))).toEqual([])
  })

  it('are not told: durations, sizes and times', () => {
    const durations = (from: number) =>
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [String(from + index), 10]))
    expect(told(window(400, { ms: durations(10) }), window(400, { ms: durations(30) }))).toEqual([])
  })

  it('are told when they stay the same in both windows and one of them stands out', () => {
    const tenants = ids(50, 0)
    const now = window(600, { tenant: { ...tenants, 'req-7': 200 } })
    expect(told(now, window(400, { tenant: tenants }))).toEqual(['tenant req-7 grew'])
  })

  it('are not told of people who were not there for an hour, unless one of them stands out', () => {
    const people = (from: number) => Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`u-${from + at}`, 10]))
    expect(told(window(900, { user: people(0) }), window(900, { user: people(20) }))).toEqual([])
    const now = window(900, { user: { ...people(0), 'u-200': 80 } })
    expect(told(now, window(900, { user: people(20) }))).toEqual(['user u-200 appeared'])
  })

  it('are told when they are few: codes and versions', () => {
    const now = window(400, { 'http.status': { 200: 300, 502: 100 }, build: { 4711: 400 } })
    const base = window(400, { 'http.status': { 200: 400 }, build: { 4710: 400 } })
    expect(told(now, base)).toEqual([
      'build 4711 appeared',
      'build 4710 vanished',
      'http.status 502 appeared',
      'http.status 200 shrank',
    ])
  })

  it('are told of our own fields, such as hosts that were all replaced', () => {
    expect(told(window(400, { host: ids(6, 0, 60) }), window(400, { host: ids(6, 100, 60) }))).toHaveLength(12)
  })
})

describe('a list that does not hold all values', () => {
  it('leaves out what it may hold without saying so', () => {
    const now = window(1_000, { tenant: { a: 500, b: 500 } })
    expect(told(now, window(1_000, { tenant: { a: 100 } }, ['tenant']))).toEqual(['tenant a grew'])
    const fewer: TalliedWindow = { ...window(1_000, { tenant: { a: 100 } }), isCut: true }
    expect(told(window(1_000, { tenant: { a: 100 }, zone: { x: 900 } }), fewer)).toEqual([])
  })
})
