import { describe, expect, it } from 'vitest'
import { durationWords, formatAgo, formatElapsed, spanWords } from './elapsed.ts'

describe('a length of time', () => {
  it.each([
    [0, '0 s'],
    [-5, '0 s'],
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

  it('in a sentence is named by the largest unit there are two of', () => {
    const seconds = [0, 0.4, 1, 59, 90, 120, 3_599, 3_600, 7_200, 129_600, 172_800]
    expect(seconds.map((one) => durationWords(one * 1e6))).toMatchInlineSnapshot(`
      [
        "0 s",
        "under 1 s",
        "1 s",
        "59 s",
        "90 s",
        "2 min",
        "59 min",
        "60 min",
        "2 h",
        "36 h",
        "2 d",
      ]
    `)
  })

  it('in which something was counted has the smaller unit where it matters', () => {
    const minute = 60e6
    const spans = [60 * minute, 10.5 * minute, 172 * minute, 24 * 60 * minute, 29.9 * 60 * minute, 4.2 * minute, 41e6]
    expect(spans.map(spanWords)).toEqual([
      'the hour',
      'the 10 min',
      'the 2 h 52 min',
      'the 24 h',
      'the 29 h',
      'the 4 min 12 s',
      'the 41 s',
    ])
  })

  it('until or since now says which', () => {
    const now = Date.parse('2026-11-15T03:00:00Z')
    expect(formatAgo('2026-11-15T02:55:00Z', now)).toBe('5 min ago')
    expect(formatAgo('2026-11-18T03:00:00Z', now)).toBe('in 3 d')
    expect(formatAgo('2026-11-15T02:59:58Z', now)).toBe('now')
  })
})
