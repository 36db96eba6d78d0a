import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { epochToUs } from './epoch.ts'
import { END_OF_TIME_US, parseInstant } from './instant.ts'

describe('an epoch', () => {
  it.each([
    [1_767_323_045, 'seconds'],
    [1_767_323_045_000, 'milliseconds'],
    [1_767_323_045_000_000, 'microseconds'],
    [1_767_323_045_000_000_000, 'nanoseconds'],
  ])('of %d is in %s', (epoch) => {
    expect(epochToUs(epoch)).toBe(1_767_323_045_000_000)
  })

  it('is the same as a number and as the text of one', () => {
    const exact = fc.integer({ min: 1e8, max: Number.MAX_SAFE_INTEGER })
    fc.assert(
      fc.property(exact, (epoch) => {
        const timeUs = epochToUs(epoch)
        fc.pre(timeUs < END_OF_TIME_US)
        expect(parseInstant(String(epoch))).toBe(timeUs)
      }),
    )
  })
})
