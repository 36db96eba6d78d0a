import { defaultFromOf } from '@tidemark/wire/dashboard/address'
import { describe, expect, it } from 'vitest'
import { presetsOf, rangeLabel, rangeUntilNow, readRange, resolveLocally } from './range.ts'

describe('a range as it is typed', () => {
  it.each([
    ['2h', { from: '-2h', to: undefined }],
    ['-90m', { from: '-90m', to: undefined }],
    ['yesterday', { from: 'yesterday', to: 'today' }],
    ['-2h to -1h', { from: '-2h', to: '-1h' }],
    ['2026-01-02T03:04:05Z .. now', { from: '2026-01-02T03:04:05Z', to: undefined }],
    ['deploy:latest-15m', { from: 'deploy:latest-15m', to: undefined }],
  ])('%s is understood', (text, range) => {
    expect(readRange(text)).toEqual({ ok: true, range })
  })

  it('says what is wrong and what is accepted', () => {
    expect(readRange('soonish')).toMatchObject({
      ok: false,
      message: expect.stringContaining('"soonish" is not a time'),
    })
    expect(readRange('-1h to -2h')).toMatchObject({
      ok: false,
      message: expect.stringContaining('ends before it begins'),
    })
  })
})

describe('the ranges that a page offers', () => {
  const rangeOf = (label: string, pathname: string) =>
    presetsOf(defaultFromOf(pathname)).find((one) => one.label === label)?.range

  it('leave out of the address where the page begins anyway: other pages would begin there too', () => {
    expect(rangeOf('Last hour', '/projects/p/logs')).toEqual({ from: undefined, to: undefined })
    expect(rangeOf('Last hour', '/projects/p/analyses')).toEqual({ from: '-1h', to: undefined })
    expect(rangeOf('Last 7 days', '/projects/p/analyses')).toEqual({ from: undefined, to: undefined })
  })

  it.each(['settings/keys', 'analyses/ana_1', 'deploys/dep_1'])('are none on %s, which has no range', (page) => {
    expect(presetsOf(defaultFromOf(`/projects/p/${page}`))).toEqual([])
  })
})

describe('the usual ranges', () => {
  it('grow from 5 minutes to 30 days', () => {
    expect(presetsOf('-1h').map(({ from }) => from)).toEqual([
      '-5m',
      '-15m',
      '-30m',
      '-1h',
      '-6h',
      '-24h',
      '-3d',
      '-7d',
      '-30d',
    ])
  })
})

describe('a range', () => {
  it('is one hour unless it is said', () => {
    expect(resolveLocally({ from: undefined, to: undefined }, 7_200_000)).toEqual({
      fromMs: 3_600_000,
      toMs: 7_200_000,
    })
  })

  it('that counts from a deploy is left to the service', () => {
    expect(resolveLocally({ from: 'deploy:latest', to: undefined }, 0)).toBeNull()
  })

  it('is named as people say it', () => {
    expect(rangeLabel({ from: undefined, to: undefined }, 'utc')).toBe('Last hour')
    expect(rangeLabel({ from: '-90m', to: undefined }, 'utc')).toBe('Last 90 minutes')
    expect(rangeLabel({ from: '-2d', to: undefined }, 'utc')).toBe('Last 2 days')
    expect(rangeLabel({ from: '-1w', to: undefined }, 'utc')).toBe('Last week')
    expect(rangeLabel({ from: '-1h30m', to: undefined }, 'utc')).toBe('Last 1 hour 30 minutes')
    expect(rangeLabel({ from: '2026-11-15T03:00:00Z', to: '2026-11-15T04:00:00Z' }, 'utc')).toBe('15 Nov 03:00 – 04:00')
    expect(rangeLabel({ from: '2026-11-15T03:00:00Z', to: '2026-11-16T04:00:00Z' }, 'utc')).toBe(
      '15 Nov 03:00 – 16 Nov 04:00',
    )
    expect(rangeLabel({ from: '2026-11-15T03:00:00Z', to: undefined }, 'utc')).toBe('15 Nov 03:00 – now')
  })
})

describe('a range that ends in the future', () => {
  it('is shown until now, and as it is once its end has come', () => {
    const NOW_MS = Date.parse('2026-11-15T12:15:00Z')
    const range = { from: '2026-11-15T12:00:00Z', to: '2026-11-15T12:30:00Z' }
    expect(rangeUntilNow(range, NOW_MS)).toEqual({ from: range.from, to: 'now' })
    expect(rangeUntilNow(range, Date.parse(range.to))).toEqual(range)
    expect(rangeUntilNow({ from: '-1h', to: undefined }, NOW_MS)).toEqual({ from: '-1h', to: undefined })
    expect(rangeUntilNow({ from: 'deploy:latest', to: range.to }, NOW_MS)).toEqual({ from: 'deploy:latest', to: 'now' })
    expect(rangeUntilNow({ from: '2026-11-15T12:20:00Z', to: range.to }, NOW_MS)).toEqual({
      from: '2026-11-15T12:20:00Z',
      to: range.to,
    })
  })
})
