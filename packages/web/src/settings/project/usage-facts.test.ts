import { expect, it } from 'vitest'
import { dayWords, usageFacts } from './usage-facts.ts'

const day = (day: string, records: number) => ({ day, records, bytes: records * 100 })

it('does not count today, which is not over, into the average', () => {
  const days = [day('2026-11-13', 10), day('2026-11-14', 0), day('2026-11-15', 900), day('2026-11-16', 1)]
  expect(usageFacts(days)).toEqual({ today: days[3], perDay: 303, busiest: days[2] })
})

it('knows no average on the first day, and nothing before it', () => {
  expect(usageFacts([day('2026-11-16', 5)])).toMatchObject({ perDay: null, busiest: { records: 5 } })
  expect(usageFacts([])).toEqual({ today: undefined, perDay: null, busiest: undefined })
})

it('writes a day as it is in UTC', () => {
  expect(dayWords('2026-11-01')).toBe('1 Nov')
})
