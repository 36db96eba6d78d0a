import { parseQuery } from '@tidemark/wire/query/parse'
import { printQuery } from '@tidemark/wire/query/print'
import { describe, expect, it } from 'vitest'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { groupsOf, recordsQuery, recordsText } from './records-query.ts'

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
