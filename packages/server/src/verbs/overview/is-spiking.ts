import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { isSpikingTrend } from '../../analysis/rank/rank.ts'

/** It was known before the window and clearly grew in it, or grows at its end. For the overview and for alerts alike. */
export function isSpiking({ state, trend, onset, anchor }: AnalysisItem, windowFromUs: number): boolean {
  if (state !== 'ongoing') return false
  const onsetMs = Date.parse(onset)
  return isSpikingTrend(trend) || (onsetMs > Date.parse(anchor) && onsetMs * 1_000 >= windowFromUs)
}
