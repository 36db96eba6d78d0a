import { HOUR_US } from '@tidemark/wire/time/units'
import { expect, it } from 'vitest'
import { searchWindows } from './search-records.ts'

it('looks at the nearest quarter of an hour first and ends at the far end', () => {
  const windows = searchWindows({ fromUs: 0, toUs: 48 * HOUR_US }, 'newest')
  expect(windows.map(({ fromUs, toUs }) => [fromUs / HOUR_US, toUs / HOUR_US])).toEqual([
    [47.75, 48],
    [47, 47.75],
    [42, 47],
    [24, 42],
    [0, 24],
  ])
})

it('goes forward from the beginning when the oldest come first', () => {
  const windows = searchWindows({ fromUs: HOUR_US, toUs: 3 * HOUR_US }, 'oldest')
  expect(windows.map(({ fromUs, toUs }) => [fromUs / HOUR_US, toUs / HOUR_US])).toEqual([
    [1, 1.25],
    [1.25, 2],
    [2, 3],
  ])
})

it('has one window for a short range and none for an empty one', () => {
  expect(searchWindows({ fromUs: 5, toUs: 6 }, 'newest')).toEqual([{ fromUs: 5, toUs: 6 }])
  expect(searchWindows({ fromUs: 6, toUs: 6 }, 'newest')).toEqual([])
})
