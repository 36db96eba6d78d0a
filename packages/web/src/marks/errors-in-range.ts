/** How many errors an analysis had in the range of the page: the sum of its trend, whose parts are of exactly that range. */
import { counted, withCommas } from '@tidemark/wire/text/counted'

type Counted = { count: number; trend: readonly number[] }
/** `words` stand alone: `12 errors`; `title` adds the other number. `isInAll`: of all time, where those in range are not known. */
type ErrorsInRange = { count: number; isInAll: boolean; words: string; title: string }

export function errorsInRange({ count: inAll, trend }: Counted): ErrorsInRange {
  if (trend.length === 0) {
    const words = `${counted(inAll, 'error')} in all`
    return { count: inAll, isInAll: true, words, title: `${words}. Those in this range are not known.` }
  }
  const count = trend.reduce((sum, part) => sum + part, 0)
  const words = counted(count, 'error')
  // What came last may be counted here and not yet there.
  return { count, isInAll: false, words, title: `${words} in this range, ${withCommas(Math.max(count, inAll))} in all` }
}
