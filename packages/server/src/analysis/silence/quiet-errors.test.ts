import { MINUTE_US } from '@tidemark/wire/time/units'
import { expect, it } from 'vitest'
import { quietAfterUs } from './quiet-errors.ts'

const bucketUs = 5 * MINUTE_US
const quietAfterMinutes = (counts: number[]) =>
  quietAfterUs({ counts, bucketUs, durationUs: counts.length * bucketUs }) / MINUTE_US

it('calls errors quiet after several of their usual gaps', () => {
  expect(quietAfterMinutes([1, 1, 1, 1])).toBe(40)
  expect(quietAfterMinutes([1, 0, 0, 1])).toBe(80)
})

it('takes a heap for one occasion, however many errors it has', () => {
  expect(quietAfterMinutes([900, 0, 0, 100])).toBe(quietAfterMinutes([1, 0, 0, 1]))
})

it('never within minutes of the last one', () => {
  const often = { counts: Array<number>(100).fill(9), bucketUs: MINUTE_US / 10, durationUs: 10 * MINUTE_US }
  expect(quietAfterUs(often)).toBe(10 * MINUTE_US)
})
