import { expect, it } from 'vitest'
import { dayBegun, dayOf } from './days.ts'

const rows = ['2026-11-16T00:00:01Z', '2026-11-16T00:00:00Z', '2026-11-15T23:59:59.999Z', '2026-11-15T12:00:00Z'].map(
  (timestamp) => ({ timestamp }),
)

it('a day is named where it begins below another one, not in the rows after it and not in the first of all', () => {
  expect(rows.map((_, index) => dayBegun(rows, index, 'utc'))).toEqual([undefined, undefined, '15 Nov', undefined])
  expect(dayOf(rows, 0, 'utc')).toBe('16 Nov')
})

it('a row that is not there has no day', () => {
  expect(dayOf(rows, 4, 'utc')).toBeUndefined()
  expect(dayOf([], 0, 'utc')).toBeUndefined()
})
