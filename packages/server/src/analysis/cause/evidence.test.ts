import { parseQuery } from '@tidemark/wire/query/parse'
import { printQuery } from '@tidemark/wire/query/print'
import { describe, expect, it } from 'vitest'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { groupsOf, recordsQuery, recordsText } from './evidence.ts'
import { durationWords, isSameRevision, shaWords, spanWords } from './evidence-words.ts'

const A = 'aaaaaaaaaaaaaaaa'
const B = 'bbbbbbbbbbbbbbbb'
const C = 'cccccccccccccccc'
const whole = (fingerprint: string, splitValue = '') => ({ fingerprint, splitValue })
const analysis = { environment: 'eu "1"', ...whole(A) }
const merge = (from: string, into: string): RuleEffect => ({ kind: 'merge', from: whole(from), into: whole(into) })

describe('the records of an analysis', () => {
  it('are found by fingerprint and environment, in a query that can be typed', () => {
    const text = recordsText(analysis, [])
    expect(text).toMatchInlineSnapshot(`"fingerprint:aaaaaaaaaaaaaaaa environment:"eu \\"1\\"""`)
    const parsed = parseQuery(text)
    expect(parsed.ok && printQuery(parsed.query)).toBe(text)
  })

  it('are those of all groups that rules lead into it, through other merges', () => {
    const rules = [merge(B, A), merge(C, B)]
    expect(groupsOf(whole(A), rules)).toEqual([whole(A), whole(B), whole(C)])
    expect(recordsText(analysis, rules)).toContain(`fingerprint:(${A} OR ${B} OR ${C})`)
    expect(groupsOf(whole(B), [merge(C, A)])).toEqual([whole(B)])
  })

  it('are told apart by what a rule splits by', () => {
    const rules: RuleEffect[] = [{ kind: 'split', fingerprint: A, by: 'service' }]
    expect(recordsText({ ...analysis, splitValue: 'cart' }, rules)).toContain('service:cart')
    expect(recordsText(analysis, rules)).not.toContain('service')
  })

  it('cannot be searched for where they are the rest, so all errors of the environment stand in', () => {
    expect(recordsQuery({ ...analysis, fingerprint: 'overflow' }, [])).toBeNull()
    expect(recordsText({ ...analysis, fingerprint: 'overflow' }, [])).toMatch(/^has:fingerprint environment:/)
  })
})

describe('words for evidence', () => {
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

  it('take a short hash for the long one, and no other text', () => {
    expect(isSameRevision('A1B2C3D', 'a1b2c3d4e5f6')).toBe(true)
    expect(isSameRevision('v1.4', 'v1.4')).toBe(true)
    for (const [one, other] of [
      ['', ''],
      ['v1.4', 'v1.4.2'],
      ['a1b2c3', 'a1b2c3d4e5f6'],
      ['deadbeef', 'a1b2c3d'],
    ] as const) {
      expect(isSameRevision(one, other), `${one} ${other}`).toBe(false)
    }
    expect(shaWords('a1b2c3d4e5f6')).toBe('a1b2c3d')
    expect(shaWords('release\n2026')).toBe('release 2026')
  })
})
