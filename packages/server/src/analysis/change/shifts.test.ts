import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Slice } from '../slices.ts'
import { beganIn, clearestJump } from './shifts.ts'

const FROM = 10 * DAY_US
const AT = FROM + DAY_US
const LENGTH = 15 * MINUTE_US

/** Two days in quarters of an hour; the window is the second of them. `untilUs` is half an hour after the moment. */
function slices(countAt: (timeUs: number) => number): Slice[] {
  const all: Slice[] = []
  for (let fromUs = FROM - DAY_US; fromUs < AT + HOUR_US / 2; fromUs += LENGTH) {
    all.push({ fromUs, toUs: fromUs + LENGTH, count: countAt(fromUs) })
  }
  return all
}
const looked = (countAt: (timeUs: number) => number) => ({ slices: slices(countAt), fromUs: FROM, atUs: AT })
const since = AT - 2 * HOUR_US

describe('a stream that began', () => {
  it('is told with when, how much, and how long there was nothing', () => {
    expect(beganIn(looked((timeUs) => (timeUs >= since ? 4 : 0)))).toEqual({
      atUs: since,
      count: 40,
      emptyUs: 2 * DAY_US - 2 * HOUR_US,
    })
  })

  it('is not told when it was there before the window, began after the moment, or came by chance', () => {
    expect(beganIn(looked((timeUs) => (timeUs >= FROM - LENGTH ? 4 : 0)))).toBeNull()
    expect(beganIn(looked((timeUs) => (timeUs > AT ? 4 : 0)))).toBeNull()
    expect(beganIn(looked((timeUs) => (timeUs === since ? 2 : 0)))).toBeNull()
    expect(beganIn(looked(() => 0))).toBeNull()
  })

  it('is not told when there was hardly anything before to tell it from', () => {
    const young = slices(() => 9)
      .slice(-8)
      .map((slice, at) => ({ ...slice, count: at < 3 ? 0 : 9 }))
    expect(beganIn({ slices: young, fromUs: FROM, atUs: AT })).toBeNull()
  })
})

describe('a stream that jumped', () => {
  it('is told with the factor, whether it is more or less', () => {
    expect(clearestJump(looked((timeUs) => (timeUs >= since ? 100 : 20)))).toMatchObject({
      atUs: since,
      factor: 5,
      before: 80,
      after: 400,
    })
    expect(clearestJump(looked((timeUs) => (timeUs >= since ? 20 : 100)))).toMatchObject({ atUs: since, factor: 0.2 })
  })

  it('is not told when it jumps at this time every day, or by little, or after the moment', () => {
    const daily = (timeUs: number) => (((timeUs - since) % DAY_US) + DAY_US) % DAY_US < 6 * HOUR_US
    expect(clearestJump(looked((timeUs) => (daily(timeUs) ? 100 : 20)))).toBeNull()
    expect(clearestJump(looked((timeUs) => (timeUs >= since ? 40 : 20)))).toBeNull()
    expect(clearestJump(looked((timeUs) => (timeUs > AT ? 100 : 20)))).toBeNull()
  })
})
