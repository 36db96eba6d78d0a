/** Where to see the patterns of a deploy and their records: in its environment, in the time that was compared. */

import { comparedUs } from '@tidemark/wire/deploys/compared-span'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import type { DeployPattern, VerdictWindow } from '@tidemark/wire/deploys/verdict'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { secondsOf } from '../verdict-words.ts'
import { isStillRunning } from './windows.ts'

type Place = Pick<Deploy, 'environment' | 'deployedAt'>
export type PatternState = 'new' | 'gone'

type Compared = { deployedAt: string; after: VerdictWindow['after'] | null }

/** The time in which the patterns after it were counted, and as long before it. */
export function comparedMs({ after }: Pick<Compared, 'after'>): number {
  return comparedUs(after === null ? Number.POSITIVE_INFINITY : secondsOf(after) * 1e6) / 1_000
}

/** All patterns: the range is the time they are counted in, so that the page above them counts the same records. */
export function patternsSince(
  { id, environment, deployedAt }: Place & Pick<Deploy, 'id'>,
  after: Compared['after'],
  nowMs: number,
) {
  const atMs = Date.parse(deployedAt)
  const toMs = atMs + comparedMs({ after })
  const isGrowing = after !== null && toMs < atMs + HOUR_MS && isStillRunning(after, nowMs)
  return {
    environment,
    from: new Date(atMs).toISOString(),
    to: isGrowing || toMs > nowMs ? undefined : new Date(toMs).toISOString(),
    view: 'patterns' as const,
    compare: id,
    before: 'on' as const,
  }
}

/** Null where no query finds its records. */
export function patternSearch(
  { query }: Pick<DeployPattern, 'query'>,
  state: PatternState,
  { environment, deployedAt, after }: Place & Compared,
) {
  if (query === null) return null
  const atMs = Date.parse(deployedAt)
  const lengthMs = comparedMs({ after })
  const [fromMs, toMs] = state === 'new' ? [atMs, atMs + lengthMs] : [atMs - lengthMs, atMs]
  return { query, environment, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}
