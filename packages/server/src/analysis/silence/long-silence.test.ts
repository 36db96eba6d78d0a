import { describe, expect, it } from 'vitest'
import { longSilenceOf } from './long-silence.ts'

const SLICE_US = 600e6
const HOUR_US = 3_600e6
const slices = (...spans: [fromHour: number, toHour: number][]) =>
  spans.flatMap(([from, to]) =>
    Array.from({ length: Math.round((to - from) * 6) }, (_, at) => from * HOUR_US + at * SLICE_US),
  )
const told = (startsUs: readonly number[], nowHour: number) => {
  const found = longSilenceOf({ startsUs, sliceUs: SLICE_US, nowUs: nowHour * HOUR_US })
  return found && [found.sinceUs / HOUR_US, found.longestGapUs / SLICE_US]
}

describe('a service that logged all the time', () => {
  it('is silent once it has been for longer than chance and its own pauses explain', () => {
    const steady = slices([0, 47])
    expect(told(steady, 47)).toBe(null)
    expect(told(steady, 47.9)).toBe(null)
    expect(told(steady, 48)).toEqual([47, 2])
  })

  it('is no longer missed when it has been away for longer than it ran', () => {
    expect(told(slices([0, 20]), 39)).toEqual([20, 2])
    expect(told(slices([0, 20]), 41)).toBe(null)
  })
})

describe('a service with pauses of its own', () => {
  it('is missed only after three times the longest of them', () => {
    const daily = slices([0, 16], [24, 40])
    expect(told(daily, 47.9)).toBe(null)
    const hourly = Array.from({ length: 40 }, (_, hour) => hour * HOUR_US)
    expect(told(hourly, 42)).toBe(null)
    expect(told(hourly, 43)).toEqual([39 + 1 / 6, 7])
  })

  it('is not missed when it is a job that ran for a while', () => {
    expect(told(slices([0, 5.9]), 8)).toBe(null)
    expect(told(slices([0, 1.9]), 2.9)).toBe(null)
    expect(told([], 8)).toBe(null)
  })
})
