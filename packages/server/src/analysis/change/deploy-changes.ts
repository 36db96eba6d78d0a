/** What people did: deploys, and commits where no deploy was recorded. */

import { BEGAN_WORDS, besideDeploy } from '@tidemark/wire/deploys/beside-deploy'
import { OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import type { ChangeView } from '@tidemark/wire/reading/changes'
import { SECOND_US } from '@tidemark/wire/time/units'
import type { Deploy } from '../../model/deploy.ts'
import type { CommitAt } from '../cause/correlation.ts'
import { deployTitle } from '../cause/likely-cause.ts'
import type { AgainstFacts } from '../verdict/verdict-facts.ts'
import { nameWords, shaWords, titleWords } from '../words.ts'
import { type Change, changeOf } from './change.ts'
import { ALIKE_STRENGTH, NOT_LIVE_STRENGTH, VERDICT_STRENGTHS } from './change-weights.ts'

export type DeployFound = {
  deploy: Deploy
  /** Recorded under the environment that was asked for, or under a name that looks like it. */
  place: 'same' | 'alike'
  /** A revision that had run before runs again. */
  isRollback: boolean
  /** Null where it was not asked for. */
  judged: { verdict: ChangeView['verdict']; reason: string | null } | null
  /** An analysis that it caused, which began, came back or grew at about the moment. */
  caused: Pick<AgainstFacts, 'title' | 'began' | 'onsetUs' | 'confidence'> | null
}

export function deployChange({ deploy, place, isRollback, judged, caused }: DeployFound): Change {
  const { id, sha, environment, status, deployedAtUs, message } = deploy
  const verdict = judged?.verdict ?? null
  const live = verdict === null ? (status === 'succeeded' ? 1 : NOT_LIVE_STRENGTH) : VERDICT_STRENGTHS[verdict]
  return changeOf({
    kind: 'deploy',
    title: `${deployTitle(deploy, isRollback)}${message === null || message.trim() === '' ? '' : `: ${titleWords(message)}`}`,
    reason: deployReason({ deploy, place, isRollback, judged, caused }),
    atUs: deployedAtUs,
    strength: live * (place === 'same' ? 1 : ALIKE_STRENGTH),
    isTimely: caused !== null,
    environment,
    deployId: id,
    sha,
    status,
    verdict,
  })
}

function deployReason({
  deploy: { status, environment, deployedAtUs },
  place,
  isRollback,
  judged,
  caused,
}: DeployFound): string {
  const alike =
    place === 'same' ? '' : ` It was recorded for ${nameWords(environment)}, a name that looks like the one asked for.`
  if (status !== 'succeeded') return `It ${OUTCOME_WORDS[status]}, so its code should not have run.${alike}`
  if (caused !== null) {
    const when = besideDeploy((caused.onsetUs - deployedAtUs) / SECOND_US)
    const cause = caused.confidence === 'low' ? 'a possible cause' : 'the likely cause'
    return `${titleWords(caused.title)} ${BEGAN_WORDS[caused.began]} ${when}, and it is ${cause}.${alike}`
  }
  const verdict = judged?.verdict ?? null
  if (verdict === null) return `${isRollback ? 'It took an older revision back into use' : 'It went live'}.${alike}`
  return `Its verdict is ${verdict === 'too_early' ? 'that it is too early to tell' : verdict}.${judged?.reason ? ` ${judged.reason}` : ''}${alike}`
}

/** Where no deploy was recorded: what the default branch was at that time. */
export function commitChange({ sha, committedAtUs, subject, author, branch }: CommitAt, environment: string): Change {
  return changeOf({
    kind: 'commit',
    title: `Commit ${shaWords(sha)} on ${nameWords(branch)}: ${titleWords(subject)}`,
    reason: `The newest commit at that time, by ${nameWords(author)}; no deploy was recorded, so when it went live is not known.`,
    atUs: committedAtUs,
    strength: 1,
    environment,
    sha,
  })
}
