import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import type { SearchAnswer } from '@tidemark/wire/reading/search'
import { isSpikedTrend } from '../../analysis/rank/rank.ts'

type UsedWindow = SearchAnswer['window']

/** The start of the window is part of it, the end is not. */
export function isInWindow(time: string, { from, to }: UsedWindow): boolean {
  return Date.parse(time) >= Date.parse(from) && Date.parse(time) < Date.parse(to)
}

/**
 * It was known before the window and clearly grew in it, or grows at its end. The overview and the alerts share this rule.
 * `spikeWord` decides whether it spikes now: over a long window it may have gone quiet since.
 */
export function hasSpiked({ state, trend, onset, anchor, firstSeen }: AnalysisItem, window: UsedWindow): boolean {
  if (state !== 'ongoing') return false
  const wasKnownBefore = Date.parse(firstSeen) < Date.parse(window.from)
  return isSpikedTrend(trend, wasKnownBefore) || (Date.parse(onset) > Date.parse(anchor) && isInWindow(onset, window))
}
