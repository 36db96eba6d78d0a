/** Which time the chart of an analysis shows. Without a choice in the address, the current episode, as the service sends it. */
import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { ChartRange } from '@tidemark/wire/dashboard/search'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'

export const CHART_RANGES: readonly { value: ChartRange | ''; label: string }[] = [
  { value: '', label: 'This episode' },
  { value: 'start', label: 'Around the start' },
  { value: '24h', label: 'Last 24 hours' },
  { value: '7d', label: 'Last 7 days' },
  { value: 'all', label: 'First to last error' },
]

const LENGTHS: Record<'24h' | '7d', number> = { '24h': DAY_MS, '7d': 7 * DAY_MS }

type Lived = Pick<AnalysisDetail, 'firstSeen' | 'lastSeen' | 'onset'>

/** Nothing of it is yet to come, but for errors of a clock that is ahead. Around the first and the last error there is room, so that both are seen as bars. */
export function chartWindow(range: ChartRange, lived: Lived, nowMs: number): { from: string; to: string } {
  const [fromMs, toMs] = spanOf(range, lived, nowMs)
  const knownMs = Math.max(nowMs, Date.parse(lived.lastSeen) + 1)
  return { from: new Date(fromMs).toISOString(), to: new Date(Math.min(toMs, knownMs)).toISOString() }
}

function spanOf(range: ChartRange, { firstSeen, lastSeen, onset }: Lived, nowMs: number): [number, number] {
  switch (range) {
    case 'start':
      return [Date.parse(onset) - HOUR_MS, Date.parse(onset) + HOUR_MS]
    case 'all': {
      const [firstMs, lastMs] = [Date.parse(firstSeen), Date.parse(lastSeen)]
      const roomMs = Math.max(5 * MINUTE_MS, (lastMs - firstMs) / 30)
      return [firstMs - roomMs, lastMs + roomMs]
    }
    default:
      return [nowMs - LENGTHS[range], nowMs]
  }
}
