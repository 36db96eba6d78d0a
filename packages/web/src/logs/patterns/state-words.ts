/** Why a pattern is called what it is: its shares of both windows, which counts alone hide where one has more records. */

import type { LogPattern } from '@tidemark/wire/reading/patterns'
import { counted } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'

export const STATE_RULE =
  'New: none of the records before. Grown and shrunk: clearly another share of the records than before, and another rate.'

type Told = Pick<LogPattern, 'state' | 'share' | 'baseCount'>

/** Null where nothing is compared. */
export function stateWords({ state, share, baseCount }: Told, baseRecords: number): string | null {
  if (state === null || baseCount === null || baseRecords === 0) return null
  const before = counted(baseRecords, 'record')
  if (state === 'new') return `New: none of the ${before} before`
  if (baseCount === 0) return `Not called new: ${before} before are too few to say so`
  const shares = `${shareWords(baseCount / baseRecords)} → ${shareWords(share)} of the records`
  if (state === 'grown') return `Grown: ${shares}`
  if (state === 'shrunk') return `Shrunk: ${shares}`
  if (state === 'gone') return `Gone: ${shares}`
  return `Steady: ${shares}, no clear change`
}
