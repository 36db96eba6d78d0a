/** What the patterns are asked for, and what they are compared with: the time before, a deploy, or nothing. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import type { PatternsInput } from '@tidemark/wire/reading/patterns'
import { windowBefore } from '@tidemark/wire/time/window-before'

export type Window = { from: string; to: string }
export type Comparison = { kind: 'before' } | { kind: 'off' } | { kind: 'deploy'; deployId: string }

export function comparisonOf(text: string | undefined): Comparison {
  if (text === undefined) return { kind: 'before' }
  return text === 'off' ? { kind: 'off' } : { kind: 'deploy', deployId: text }
}

/**
 * A deploy stands for both windows. Else it is the window that the service counted the histogram in, because a relative
 * range is another one with every request. Undefined until that is known.
 */
export function patternsInputOf(
  { query, environment }: LogFilter,
  comparison: Comparison,
  window: Window | undefined,
): PatternsInput | undefined {
  const narrowed = { query, environment, limit: MAX_LIMIT }
  if (comparison.kind === 'deploy') return { ...narrowed, deployId: comparison.deployId }
  if (window === undefined) return undefined
  const asked = { ...narrowed, from: window.from, to: window.to }
  if (comparison.kind === 'off') return asked
  const before = windowBefore(window)
  return { ...asked, compareFrom: before.from, compareTo: before.to }
}
