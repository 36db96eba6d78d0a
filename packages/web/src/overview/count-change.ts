import { withCommas } from '@tidemark/wire/text/counted'

/** A count against the time before, in words that need no colour. */
type CountChange = { direction: 'up' | 'down' | 'same'; words: string }

/** From here on a percentage says less than the two numbers. */
const TOO_MANY_TIMES = 10

/**
 * `up 34 % from 1,204`, `down from 12` to nothing, `as before`, `none before`. Where nothing at all was logged in the time
 * before, nobody knows whether it rose.
 */
export function countChange(count: number, before: number, recordsBefore: number): CountChange {
  if (recordsBefore === 0) return { direction: 'same', words: 'no records before' }
  if (before === 0) return { direction: count > 0 ? 'up' : 'same', words: 'none before' }
  const percent = Math.round((Math.abs(count - before) / before) * 100)
  if (percent === 0) return { direction: 'same', words: 'as before' }
  const direction = count > before ? 'up' : 'down'
  const isTold = count > 0 && count < before * TOO_MANY_TIMES
  const from = `from ${withCommas(before)}`
  return {
    direction,
    words: isTold ? `${direction} ${withCommas(percent)} % ${from}` : `${direction} ${from}`,
  }
}
