import { describe, expect, it } from 'vitest'
import { unbroken } from '../../text/unbroken.ts'
import { countWords, errorWords, kindOf, lastUse, tookWords } from './call-words.ts'

describe('a call', () => {
  it('is told by its kind, also one that a later service knows', () => {
    expect(['tools/call', 'prompts/get', 'tasks/get'].map((method) => kindOf({ method }))).toEqual([
      'tool',
      'prompt',
      'tasks/get',
    ])
  })

  it('took milliseconds, or seconds with one digit', () => {
    expect([0, 1, 999, 1_000, 12_345].map(tookWords)).toEqual(
      ['< 1 ms', '1 ms', '999 ms', '1.0 s', '12.3 s'].map(unbroken),
    )
  })

  it('failed in words', () => {
    expect(['rate_limited', 'cancelled'].map(errorWords)).toEqual(['Rate limited', 'Cancelled'])
  })
})

describe('the calls of a key', () => {
  it('are at least so many where older ones were forgotten since', () => {
    const cutBefore = '2026-11-15T00:00:00.000Z'
    const cutMs = Date.parse(cutBefore)
    expect(countWords(10_000, { cutBefore }, cutMs - 1)).toBe('10,000+')
    expect(countWords(10_000, { cutBefore }, cutMs)).toBe('10,000')
    expect(countWords(3, { cutBefore: null }, 0)).toBe('3')
  })

  it('tell of its last use before the key does', () => {
    const [early, late] = ['2026-11-15T00:00:00.000Z', '2026-11-15T00:00:30.000Z']
    expect([lastUse(early, late), lastUse(late, early), lastUse(null, early), lastUse(null, undefined)]).toEqual([
      late,
      late,
      early,
      null,
    ])
  })
})
