import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { isSpikedTrend } from '../../analysis/rank/rank.ts'

/**
 * It was known before the window and clearly grew in it, or grows at its end. For the overview and for alerts alike. Whether it
 * spikes now is another question, which `spikeWord` answers: over a long window it may have gone quiet since.
 */
export function hasSpiked({ state, trend, onset, anchor, firstSeen }: AnalysisItem, windowFromUs: number): boolean {
  if (state !== 'ongoing') return false
  const onsetMs = Date.parse(onset)
  const wasKnownBefore = Date.parse(firstSeen) * 1_000 < windowFromUs
  return isSpikedTrend(trend, wasKnownBefore) || (onsetMs > Date.parse(anchor) && onsetMs * 1_000 >= windowFromUs)
}
