/** What is wrong with a range, without a clock of the service: an end that is no time, or two that are the wrong way round. */
import { parseTime } from './parse-time.ts'
import { parseRange, resolveRange } from './resolve-time.ts'

export type RangeFault = { end: 'from' | 'to'; text: string } | 'reversed'

export function rangeFault({ from, to }: { from: string; to: string | undefined }, nowMs = Date.now()) {
  if (!parseTime(from).ok) return { end: 'from', text: from } satisfies RangeFault
  if (to !== undefined && !parseTime(to).ok) return { end: 'to', text: to } satisfies RangeFault
  const parsed = parseRange({ from, to })
  // Where an end counts from a deploy, only the service knows.
  if (!parsed.ok || parsed.from.base.kind === 'anchor' || parsed.to.base.kind === 'anchor') return undefined
  const range = resolveRange(parsed, { nowUs: nowMs * 1_000, anchor: () => undefined })
  return range.ok ? undefined : ('reversed' satisfies RangeFault)
}
