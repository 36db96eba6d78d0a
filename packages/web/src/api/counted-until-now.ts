/**
 * A range may end in the future: the one around a fresh record does, so that what is still to come of its trace is found
 * whenever the page asks again. It is shown until now, because an empty rest would read as an end.
 */
import type { CountAnswer } from '@tidemark/wire/reading/count'

/** What was counted, as of now. Records and deploys of a clock that is ahead are there, so they are shown. */
export function countedUntilNow(answer: CountAnswer, nowMs: number): CountAnswer {
  const [fromMs, toMs] = [Date.parse(answer.window.from), Date.parse(answer.window.to)]
  if (toMs <= nowMs || fromMs >= nowMs) return answer
  const ahead = answer.buckets.findLast(({ timestamp, count }) => count > 0 && Date.parse(timestamp) >= nowMs)
  const aheadMs = ahead ? Date.parse(ahead.timestamp) + (answer.bucketSeconds ?? 1) * 1_000 : 0
  const deploysMs = answer.deploys.map(({ timestamp }) => Date.parse(timestamp) + 1)
  const untilMs = Math.min(toMs, Math.max(nowMs, aheadMs, ...deploysMs))
  if (untilMs === toMs) return answer
  return {
    ...answer,
    window: { ...answer.window, to: new Date(untilMs).toISOString() },
    buckets: answer.buckets.filter(({ timestamp }) => Date.parse(timestamp) < untilMs),
  }
}
