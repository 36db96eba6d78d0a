import { describe, expect, it } from 'vitest'
import { formatAgo, formatElapsed, spanWords } from './elapsed.ts'

describe('a length of time', () => {
  it.each([
    [0, '0 s'],
    [-5, '0 s'],
    [0.4, 'under 1 s'],
    [95, '1 min 35 s'],
    [7_500, '2 h 5 min'],
    [97_200, '1 d 3 h'],
    [59.6, '59 s'],
    [59.9, '59 s'],
    [60, '1 min'],
    [252, '4 min 12 s'],
    [725, '12 min 5 s'],
    [3_605, '1 h'],
    [90_000, '1 d 1 h'],
    [90_061, '1 d 1 h'],
    [86_400 * 400, '400 d'],
  ])('of %d seconds is %s', (seconds, text) => {
    expect(formatElapsed(seconds)).toBe(text)
  })

  it('in which something was counted is named as it is asked for', () => {
    const minute = 60e6
    const spans = [60 * minute, 10.5 * minute, 172 * minute, 24 * 60 * minute, 29.9 * 60 * minute, 41e6]
    expect(spans.map(spanWords)).toEqual([
      'the hour',
      'the 10 min 30 s',
      'the 2 h 52 min',
      'the 24 h',
      'the 1 d 5 h',
      'the 41 s',
    ])
  })

  it('until or since now says which', () => {
    const now = Date.parse('2026-11-15T03:00:00Z')
    expect(formatAgo('2026-11-15T02:55:00Z', now)).toBe('5 min ago')
    expect(formatAgo('2026-11-18T03:00:00Z', now)).toBe('in 3 days')
    expect(formatAgo('2026-11-18T02:59:00Z', now)).toBe('in 3 days')
    expect(formatAgo('2026-11-18T01:00:00Z', now)).toBe('in 2 days')
    expect(formatAgo('2026-11-16T02:59:45Z', now)).toBe('in 1 day')
    expect(formatAgo('2026-11-03T02:00:00Z', now)).toBe('12 days ago')
    expect(formatAgo('2026-11-14T03:00:30Z', now)).toBe('23 h ago')
    expect(formatAgo('2026-11-15T02:59:58Z', now)).toBe('now')
  })
})
