import { DAY_US, HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { describe, expect, it } from 'vitest'
import type { Slice } from '../slices.ts'
import { longSilenceOf } from './long-silence.ts'
import { suddenSilenceIn } from './sudden-silence.ts'

const FROM = 10 * DAY_US
const AT = FROM + DAY_US
const LENGTH = 15 * MINUTE_US

/** Two days in quarters of an hour; the window is the second of them, and half an hour after the moment is looked at too. */
function slices(countAt: (timeUs: number) => number, untilUs = AT + HOUR_US / 2): Slice[] {
  const all: Slice[] = []
  for (let fromUs = FROM - DAY_US; fromUs < untilUs; fromUs += LENGTH) {
    all.push({ fromUs, toUs: fromUs + LENGTH, count: countAt(fromUs) })
  }
  return all
}
const looked = (countAt: (timeUs: number) => number) => ({ slices: slices(countAt), fromUs: FROM, atUs: AT })
const since = AT - 2 * HOUR_US

describe('a sudden silence', () => {
  it('is told with when, and how much there was', () => {
    expect(suddenSilenceIn(looked((timeUs) => (timeUs < since ? 20 : 0)))).toEqual({
      atUs: since,
      hourBefore: 80,
      silentUs: 2.5 * HOUR_US,
    })
  })

  it('is not told when it falls silent at this time every day, or came in heaps, or still comes', () => {
    const nightly = (timeUs: number) => (((timeUs - since) % DAY_US) + DAY_US) % DAY_US > 3 * HOUR_US
    expect(suddenSilenceIn(looked((timeUs) => (nightly(timeUs) ? 20 : 0)))).toBeNull()
    expect(suddenSilenceIn(looked((timeUs) => (timeUs < since && timeUs % HOUR_US === 0 ? 80 : 0)))).toBeNull()
    expect(suddenSilenceIn(looked(() => 20))).toBeNull()
  })

  it('is not told when it fell silent before the window', () => {
    expect(suddenSilenceIn(looked((timeUs) => (timeUs < FROM - HOUR_US ? 20 : 0)))).toBeNull()
  })
})

describe('a sudden and a long silence', () => {
  const bothOf = (perSlice: number, silentUs: number) => {
    const found = slices((timeUs) => (timeUs < since ? perSlice : 0), since + silentUs)
    const startsUs = found.filter(({ count }) => count > 0).map(({ fromUs }) => fromUs)
    return {
      sudden: suddenSilenceIn({ slices: found, fromUs: FROM, atUs: AT }) !== null,
      long: longSilenceOf({ startsUs, sliceUs: LENGTH, nowUs: since + silentUs }) !== null,
    }
  }

  it('differ where much is logged: it is missed within a quarter of an hour', () => {
    expect(bothOf(200, LENGTH)).toEqual({ sudden: true, long: false })
  })

  it('differ where little is logged: it is missed only after several of its pauses', () => {
    expect(bothOf(1, LENGTH)).toEqual({ sudden: false, long: false })
    expect(bothOf(1, 2 * HOUR_US)).toEqual({ sudden: false, long: true })
  })
})
