import { withCommas } from '@tidemark/wire/text/counted'

/** A count against the time before, in words that need no colour. `isClear`: more than chance brings. */
type CountChange = { direction: 'up' | 'down' | 'same'; words: string; isClear: boolean }

/** From here on times are easier to read than percents. */
const MANY_TIMES = 10
const CLEAR_RISE = 1.5
/** Of the standard deviation of the difference. */
const CLEAR_DISTANCE = 2

/**
 * `up 34 % from 1,204`, `27 times, from 14`, `down from 12` to nothing, `as before`, `none before`. Where nothing at all was
 * logged in the time before, nobody knows whether it rose.
 */
export function countChange(count: number, before: number, recordsBefore: number): CountChange {
  if (recordsBefore === 0) return { direction: 'same', words: 'no records before', isClear: false }
  if (before === 0) return { direction: count > 0 ? 'up' : 'same', words: 'none before', isClear: count > 0 }
  const percent = Math.round((Math.abs(count - before) / before) * 100)
  if (percent === 0) return { direction: 'same', words: 'as before', isClear: false }
  const direction = count > before ? 'up' : 'down'
  return {
    direction,
    words: `${howMuch(count, before, percent)} from ${withCommas(before)}`,
    isClear: isClear(count, before),
  }
}

function howMuch(count: number, before: number, percent: number): string {
  if (count === 0) return 'down'
  if (count >= before * MANY_TIMES) return `${withCommas(Math.round(count / before))} times,`
  return `${count > before ? 'up' : 'down'} ${withCommas(percent)} %`
}

function isClear(count: number, before: number): boolean {
  const isFar = Math.abs(count - before) > CLEAR_DISTANCE * Math.sqrt(count + before)
  return isFar && (count >= before * CLEAR_RISE || before >= count * CLEAR_RISE)
}
