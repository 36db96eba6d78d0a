/** What ran when an error began, in the words of a finding. Which deploy it was is the rule of the control store. */

import { isAlike } from '@tidemark/wire/environment-alike'
import { counted } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { SECOND_US } from '@tidemark/wire/time/units'
import type { Deploy } from '../../model/deploy.ts'
import { exactNameWords } from '../words.ts'

/** The default branch's commit at a time: first parent, committer date. */
export type CommitAt = {
  sha: string
  committedAtUs: number
  branch: string
  subject: string
  author: string
}

/** Null: no repository is connected. A reason: there is one, and why it cannot tell. */
export type CommitFound = CommitAt | { reason: string } | null

export type Correlation =
  | { source: 'recorded'; deploy: Deploy; elapsedUs: number }
  | { source: 'inferred'; commit: CommitAt; elapsedUs: number }
  | { source: null; reason: string }

export const INFERRED_WARNING =
  'No deploy was recorded, so this is the commit of the default branch at that time. Rebases, rollbacks and clock skew can make it wrong.'

export type ErrorMoment = { environment: string; anchorUs: number }

export type CorrelationFound = {
  deploy: Deploy | null
  commit: CommitFound
  /** Succeeded deploys of each environment; asked for only when there is no deploy. */
  deploysByEnvironment: readonly { environment: string; deploys: number }[]
  /** The first that succeeded in the environment; asked for only when there is no deploy. */
  firstDeploy: Deploy | null
}

export function correlationOf(moment: ErrorMoment, found: CorrelationFound): Correlation {
  const { deploy, commit } = found
  if (deploy !== null) return { source: 'recorded', deploy, elapsedUs: moment.anchorUs - deploy.deployedAtUs }
  if (commit !== null && 'sha' in commit) {
    return { source: 'inferred', commit, elapsedUs: moment.anchorUs - commit.committedAtUs }
  }
  const reason = whyNone(moment, found)
  return { source: null, reason: commit === null ? reason : `${reason}; the repository cannot tell: ${commit.reason}` }
}

function whyNone(
  { environment, anchorUs }: ErrorMoment,
  { deploysByEnvironment, firstDeploy }: CorrelationFound,
): string {
  if (deploysByEnvironment.length === 0) return 'no deploy was recorded yet'
  if (firstDeploy !== null) {
    const later = formatElapsed((firstDeploy.deployedAtUs - anchorUs) / SECOND_US)
    return `the first deploy in ${exactNameWords(environment)} came ${later} after this error`
  }
  const alike = deploysByEnvironment.filter((one) => isAlike(one.environment, environment))
  const named = (alike.length > 0 ? alike : deploysByEnvironment).slice(0, MAX_NAMED)
  const elsewhere = named
    .map((one) => `${counted(one.deploys, 'deploy')} in ${exactNameWords(one.environment)}`)
    .join(', ')
  const hint = alike.length > 0 ? '; names match exactly' : ''
  return `no deploy in ${exactNameWords(environment)}; ${elsewhere}${hint}`
}

const MAX_NAMED = 3

/** When the correlated deploy went live, or the commit was made; null when there is neither. */
export function startOf(correlation: Correlation): number | null {
  if (correlation.source === 'recorded') return correlation.deploy.deployedAtUs
  return correlation.source === 'inferred' ? correlation.commit.committedAtUs : null
}
