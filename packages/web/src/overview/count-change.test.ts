import { describe, expect, it } from 'vitest'
import { countChange } from './count-change.ts'

describe('a count against the time before', () => {
  it.each([
    [134, 100, 'up', 'up 34 % from 100'],
    [9_999, 1_204, 'up', 'up 730 % from 1,204'],
    [50, 1_000, 'down', 'down 95 % from 1,000'],
    [120, 12, 'up', '10 times, from 12'],
    [0, 12, 'down', 'down from 12'],
    [7, 0, 'up', 'none before'],
    [0, 0, 'same', 'none before'],
    [100, 100, 'same', 'as before'],
    [10_001, 10_000, 'same', 'as before'],
  ] as const)('of %i against %i goes %s: %s', (count, before, direction, words) => {
    expect(countChange(count, before, 20_000)).toMatchObject({ direction, words })
  })

  it('is no rise where nothing at all was logged before', () => {
    expect(countChange(7, 0, 0)).toEqual({ direction: 'same', words: 'no records before', isClear: false })
  })

  it.each([
    [84, 78, false],
    [3, 1, false],
    [14, 10, false],
    [370, 48, true],
    [1, 0, true],
    [10_400, 10_000, false],
    [48, 370, true],
  ])('of %i against %i is clear: %s', (count, before, isClear) => {
    expect(countChange(count, before, 20_000).isClear).toBe(isClear)
  })
})
