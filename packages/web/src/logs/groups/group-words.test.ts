import { expect, it } from 'vitest'
import { groupWords, numberWords } from './group-words.ts'

it('says numbers with as many digits as can be read', () => {
  expect([0, 12.34567, 0.00412, 1234.5, 9_876_543, null].map(numberWords)).toEqual([
    '0',
    '12.35',
    '0.00412',
    '1,235',
    '9,876,543',
    '–',
  ])
})

it('has words for what has no name', () => {
  expect([null, '', undefined, 'api'].map((value) => groupWords('service', value))).toEqual([
    'no service',
    'empty',
    'all others',
    'api',
  ])
})
