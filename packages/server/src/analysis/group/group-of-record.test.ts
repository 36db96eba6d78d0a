import { describe, expect, test } from 'vitest'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import type { ProjectId } from '../../model/project.ts'
import { analysisId } from './analysis-id.ts'
import { groupOfRecord, ignoringRule } from './group-of-record.ts'

const record = { fingerprint: 'aa', service: 'shop', logger: 'db', host: '', pattern: 'p1' }
const merge = (from: string, into: string): RuleEffect => ({
  kind: 'merge',
  from: groupNamed(from),
  into: groupNamed(into),
})
const split: RuleEffect = { kind: 'split', fingerprint: 'aa', by: 'service' }

function groupNamed(name: string) {
  const [fingerprint = '', splitValue = ''] = name.split('/')
  return { fingerprint, splitValue }
}

describe('the group of a record', () => {
  test('is its fingerprint without rules, and none for a record that is no error', () => {
    expect(groupOfRecord(record, [])).toEqual(groupNamed('aa'))
    expect(groupOfRecord({ ...record, fingerprint: null }, [split])).toBeNull()
  })

  test.each([
    ['a split tells apart by the field', [split], 'aa/shop'],
    ['a record without a value stays in the whole', [{ ...split, by: 'host' } as RuleEffect], 'aa'],
    ['a split of others does not matter', [{ ...split, fingerprint: 'bb' } as RuleEffect], 'aa'],
    ['a merge leads to the other', [merge('aa', 'bb')], 'bb'],
    ['merges are followed to their end', [merge('bb', 'cc'), merge('aa', 'bb')], 'cc'],
    ['a part of a split can be merged', [split, merge('aa/shop', 'bb')], 'bb'],
    ['merging what a split left does not take its parts along', [split, merge('aa', 'bb')], 'aa/shop'],
    ['a circle has an end', [merge('aa', 'bb'), merge('bb', 'aa')], 'aa'],
  ])('%s', (_, rules, expected) => {
    expect(groupOfRecord(record, rules)).toEqual(groupNamed(expected))
  })
})

const isIgnored = (...asked: Parameters<typeof ignoringRule>) => ignoringRule(...asked) !== undefined

test('an error is ignored when all that a rule names is as it says', () => {
  const error = { type: 'Timeout', service: 'shop', title: 'Timeout: no answer' }
  const ignore = (type: string | null, service: string | null): RuleEffect[] => [{ kind: 'ignore', type, service }]
  expect(isIgnored(error, ignore('Timeout', null))).toBe(true)
  expect(isIgnored(error, ignore('Timeout', 'shop'))).toBe(true)
  expect(isIgnored(error, ignore('Timeout', 'mail'))).toBe(false)
  expect(isIgnored(error, ignore('timeout', null))).toBe(false)
  expect(isIgnored(error, ignore(null, null))).toBe(false)
})

test('an error is ignored by the words that its title begins with, in the service of the rule', () => {
  const error = { type: '', service: 'shop', title: 'no answer from cart-7' }
  const ignore = (service: string, words: string): RuleEffect[] => [
    { kind: 'ignore', type: null, service: null, begins: { service, words } },
  ]
  expect(isIgnored(error, ignore('shop', 'no answer from'))).toBe(true)
  expect(isIgnored(error, ignore('shop', 'no answer from cart-7'))).toBe(true)
  expect(isIgnored(error, ignore('shop', 'no answer from cart'))).toBe(false)
  expect(isIgnored(error, ignore('shop', 'No answer'))).toBe(false)
  expect(isIgnored(error, ignore('shop', 'answer from'))).toBe(false)
  expect(isIgnored(error, ignore('mail', 'no answer'))).toBe(false)
})

test('an analysis has the same id for ever', () => {
  const project = 'prj_1' as ProjectId
  const id = analysisId(project, 'production', groupNamed('aa'))
  expect(id).toMatchInlineSnapshot(`"ana_856bd120212ea4ddd506da12e30222bd"`)
  const others = [
    analysisId('prj_2' as ProjectId, 'production', groupNamed('aa')),
    analysisId(project, 'Production', groupNamed('aa')),
    analysisId(project, 'production', groupNamed('ab')),
    analysisId(project, 'production', groupNamed('aa/x')),
    analysisId(project, 'productiona', groupNamed('a')),
  ]
  expect(new Set([id, ...others]).size).toBe(6)
})
