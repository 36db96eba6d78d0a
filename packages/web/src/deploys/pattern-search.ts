/** Where to see the records of a pattern: in the environment of the deploy, in the time that was compared. */

import type { Deploy } from '@tidemark/wire/deploy'
import { HOUR_MS, MINUTE_MS } from '@tidemark/wire/time/units'
import type { DeployPattern, VerdictWindow } from '@tidemark/wire/verdict'
import { secondsOf } from './verdict-words.ts'

/** What is compared is as long as the deploy ran, but never shorter nor longer than this. */
const LEAST_MS = 5 * MINUTE_MS
const MOST_MS = HOUR_MS

type Place = Pick<Deploy, 'environment' | 'deployedAt'>
export type PatternState = 'new' | 'gone'

/** Null where no query finds its records. */
export function patternSearch(
  { query }: Pick<DeployPattern, 'query'>,
  state: PatternState,
  { environment, deployedAt, after }: Place & { after: VerdictWindow['after'] | null },
) {
  if (query === null) return null
  const atMs = Date.parse(deployedAt)
  const lengthMs = Math.min(Math.max(after === null ? MOST_MS : secondsOf(after) * 1_000, LEAST_MS), MOST_MS)
  const [fromMs, toMs] = state === 'new' ? [atMs, atMs + lengthMs] : [atMs - lengthMs, atMs]
  return { query, environment, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}
