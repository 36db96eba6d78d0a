/** What the patterns are asked for, as far as it is known yet. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { type Comparison, patternsQuestion } from '@tidemark/wire/dashboard/logs-question'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import type { PatternsInput } from '@tidemark/wire/reading/patterns'

export type Window = { from: string; to: string }

/**
 * It is the window that the service counted the histogram in, because a relative range is another one with every request.
 * Undefined until that is known, unless a deploy stands for the time.
 */
export function patternsInputOf(
  filter: LogFilter,
  comparison: Comparison,
  window: Window | undefined,
): PatternsInput | undefined {
  if (comparison.kind !== 'deploy' && window === undefined) return undefined
  return { ...patternsQuestion({ ...filter, ...window }, comparison), limit: MAX_LIMIT }
}
