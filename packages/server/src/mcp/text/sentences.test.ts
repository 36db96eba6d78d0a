import { expect, it } from 'vitest'
import { countedIn, leftOut } from './sentences.ts'

it('says of one and of many that they are left out, and nothing of none', () => {
  const analysis = { one: 'analysis', many: 'analyses', hint: 'see list_analyses' }
  expect(leftOut(1, analysis)).toEqual(['1 analysis is left out; see list_analyses.'])
  expect(leftOut(1_204, analysis)).toEqual(['1,204 analyses are left out; see list_analyses.'])
  expect(leftOut(2, { one: 'reason' })).toEqual(['2 reasons are left out.'])
  expect([0, -3, Number.NEGATIVE_INFINITY].flatMap((count) => leftOut(count, analysis))).toEqual([])
})

it('says of one and of many where they are counted', () => {
  expect(countedIn('otherGroups', 1, 'smallest group')).toEqual(['The smallest group is counted in otherGroups.'])
  expect(countedIn('otherGroups', 3, 'smallest group')).toEqual(['The 3 smallest groups are counted in otherGroups.'])
  expect(countedIn('otherGroups', 0, 'smallest group')).toEqual([])
})
