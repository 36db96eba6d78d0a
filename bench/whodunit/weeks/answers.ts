/** What really happened in each case. Never sent to the service. */

import type { Answer } from '../../../packages/demo/src/shop/answers.ts'
import type { CauseKind } from '../../../packages/wire/src/analyses/cause.ts'

export const CASE_KINDS = [
  'bad-deploy',
  'rare-path',
  'two-deploys',
  'dependency-bump',
  'configuration',
  'outage',
  'certificate',
  'disk-full',
  'leak',
  'credentials',
  'other-spelling',
  'rollback',
  'failed-deploy',
  'growth',
  'load',
  'two-environments',
  'one-tenant',
] as const
export type CaseKind = (typeof CASE_KINDS)[number]

export type CaseAnswer = Omit<Answer, 'kind'> & {
  kind: CaseKind
  /** What may be called the cause: more than one where several are honestly right. */
  causeKinds: readonly CauseKind[]
  /** When somebody would be called: the first error, or the first after an old one began to grow. */
  beganAt: string
  /** Of the first error of the episode: the record to find its analysis by. */
  traceId: string
}
