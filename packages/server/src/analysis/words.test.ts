import { describe, expect, it } from 'vitest'
import { durationWords, shaWords, spanWords } from './words.ts'

describe('words of a sentence', () => {
  it('name lengths of time by the largest unit there are two of', () => {
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

  it('name a revision by the beginning of its hash, and any other as it is', () => {
    expect(shaWords('a1b2c3d4e5f6')).toBe('a1b2c3d')
    expect(shaWords('release\n2026')).toBe('release 2026')
  })
})
