/** Where to see the records of a pattern: in the environment of the deploy, in the time that was compared. */

import { comparedUs } from '@tidemark/wire/deploys/compared-span'
import type { Deploy } from '@tidemark/wire/deploys/deploy'
import type { DeployPattern, VerdictWindow } from '@tidemark/wire/deploys/verdict'
import { secondsOf } from '../verdict-words.ts'

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
  const lengthMs = comparedUs(after === null ? Number.POSITIVE_INFINITY : secondsOf(after) * 1e6) / 1_000
  const [fromMs, toMs] = state === 'new' ? [atMs, atMs + lengthMs] : [atMs - lengthMs, atMs]
  return { query, environment, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}
