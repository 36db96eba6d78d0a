import { expect, it } from 'vitest'
import { errorsInRange } from './errors-in-range.ts'

it('counts the errors of the range, and says how many there are in all', () => {
  expect(errorsInRange({ count: 1_204, trend: [0, 3, 9] })).toEqual({
    count: 12,
    isInAll: false,
    words: '12 errors',
    title: '12 errors in this range, 1,204 in all',
  })
})

it('calls a number of all time that, where the range could not be counted', () => {
  expect(errorsInRange({ count: 1, trend: [] })).toMatchObject({ count: 1, isInAll: true, words: '1 error in all' })
})

it('never says that there are fewer in all than in the range', () => {
  expect(errorsInRange({ count: 10, trend: [5, 6] }).title).toBe('11 errors in this range, 11 in all')
})
