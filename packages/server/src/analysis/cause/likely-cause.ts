/**
 * What caused the errors of an analysis. Every candidate is weighed with what speaks for and against it; the heaviest is
 * the answer when it is heavy enough, and how far it is ahead of the next is the confidence.
 */

import type { LikelyCause } from '@tidemark/wire/analyses/cause'
import { NOTHING_CHANGED, NOTHING_EXPLAINS } from '@tidemark/wire/analyses/cause-words'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { SECOND_US } from '@tidemark/wire/time/units'
import type { Deploy } from '../../model/deploy.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { Suspect } from '../suspect/suspects.ts'
import { nameWords, shaWords } from '../words.ts'
import { type CauseFacts, type Finding, inService } from './cause-facts.ts'
import { commitFindings, deployFindings } from './deploy-evidence.ts'
import { type KnownCauseKind, otherCauses } from './other-causes.ts'

type WeighedCause = Pick<LikelyCause, 'title' | 'deployId' | 'sha'> & {
  kind: KnownCauseKind
  atUs: number | null
  findings: readonly Finding[]
  score: number
  suspect: Suspect | null
  isInferred: boolean
}

export type Explanation = {
  likelyCause: LikelyCause
  /** The answer, where there is one, and its rivals, in the order in which they are shown. */
  weighed: readonly RankedCause[]
  /** How far the correlated deploy, or the inferred commit, explains the errors. */
  correlated: Pick<LikelyCause, 'confidence' | 'evidenceFor' | 'evidenceAgainst'>
}

/** `reason`: what speaks most for the answer, and why a rival is not it. */
export type RankedCause = WeighedCause & { isAnswer: boolean; reason: string }

const LEAST_SCORE = 1
/** The weight of all evidence for a cause, and how far it is ahead of the next, from which on we are sure of it. */
const HIGH_SCORE = 5
const HIGH_LEAD = 2
const MEDIUM_SCORE = 2.5
const MEDIUM_LEAD = 1
const MAX_RIVALS = 4
/** Lighter ones were never in question. */
const LEAST_RIVAL = -2

export function explain(facts: CauseFacts): Explanation {
  const causes = weigh(facts)
  const [first, second] = causes
  const winner = first !== undefined && first.score >= LEAST_SCORE ? first : null
  const confidence = winner === null ? 'low' : confidenceOf(winner, second?.score ?? 0)
  const correlated = causes.find((cause) => isCorrelated(cause, facts))
  const others = rivals(causes, winner, facts)
  return {
    likelyCause: winner === null ? unknown(causes, others) : answer(winner, confidence, others, facts),
    weighed: winner === null ? others : [asAnswer(winner), ...others],
    correlated: {
      confidence: correlated !== undefined && correlated === winner ? confidence : 'low',
      ...evidence(correlated?.findings ?? []),
    },
  }
}

/** The heaviest first. */
function weigh(facts: CauseFacts): WeighedCause[] {
  const deploys = facts.deploys.map(
    (one): Omit<WeighedCause, 'score'> => ({
      kind: 'deploy',
      title: deployTitle(one.deploy, one.isRollback),
      deployId: one.deploy.id,
      sha: one.deploy.sha,
      atUs: one.deploy.deployedAtUs,
      findings: deployFindings(one, facts),
      suspect: one.suspects[0] ?? null,
      isInferred: false,
    }),
  )
  const commit = facts.commit && {
    kind: 'commit' as const,
    title: `Commit ${shaWords(facts.commit.commit.sha)} on ${nameWords(facts.commit.commit.branch)}`,
    deployId: null,
    sha: facts.commit.commit.sha,
    atUs: facts.commit.commit.committedAtUs,
    findings: commitFindings(facts.commit, facts),
    suspect: facts.commit.suspects[0] ?? null,
    isInferred: true,
  }
  const others = otherCauses(facts).map((one) => ({
    ...one,
    deployId: null,
    sha: null,
    suspect: null,
    isInferred: false,
  }))
  return [...deploys, ...(commit === null ? [] : [commit]), ...others]
    .map((cause) => ({ ...cause, score: cause.findings.reduce((sum, { weight }) => sum + weight, 0) }))
    .sort((one, other) => other.score - one.score)
}

export function deployTitle({ sha, environment }: Pick<Deploy, 'sha' | 'environment'>, isRollback: boolean): string {
  return `${isRollback ? 'Rollback to' : 'Deploy of'} ${shaWords(sha)} to ${nameWords(environment)}`
}

function confidenceOf({ score, isInferred }: WeighedCause, second: number): LikelyCause['confidence'] {
  const ahead = score - Math.max(0, second)
  if (score >= HIGH_SCORE && ahead >= HIGH_LEAD) return isInferred ? 'medium' : 'high'
  return score >= MEDIUM_SCORE && ahead >= MEDIUM_LEAD ? 'medium' : 'low'
}

function answer(
  winner: WeighedCause,
  confidence: LikelyCause['confidence'],
  others: readonly RankedCause[],
  facts: CauseFacts,
): LikelyCause {
  const { course } = facts
  const { kind, title, deployId, sha, atUs, suspect } = winner
  const isDeployed = kind === 'deploy' || kind === 'commit'
  const side = atUs !== null && atUs > course.onsetUs ? 'after' : 'before'
  const before =
    atUs === null || !isDeployed
      ? ''
      : `, ${formatElapsed(Math.abs(course.onsetUs - atUs) / SECOND_US)} ${side} the errors${inService(facts)} began${course.basePerHour > 0 ? ' to grow' : ''}`
  return {
    kind,
    title: `${title}${before}`,
    at: atUs === null ? null : formatRfc3339(atUs),
    deployId,
    sha,
    commit: suspect && {
      sha: suspect.commit.sha,
      title: suspect.commit.subject,
      author: suspect.commit.authorName,
      file: suspect.file,
      line: suspect.line,
    },
    confidence,
    ...evidence(winner.findings),
    rivals: others.map(rivalView),
  }
}

function unknown(causes: readonly WeighedCause[], others: readonly RankedCause[]): LikelyCause {
  return {
    kind: 'unknown',
    title: causes.length === 0 ? NOTHING_CHANGED : NOTHING_EXPLAINS,
    at: null,
    deployId: null,
    sha: null,
    commit: null,
    confidence: 'low',
    evidenceFor: [],
    evidenceAgainst: [],
    rivals: others.map(rivalView),
  }
}

/** The likeliest, of equals the latest, and always the correlated one, for readers who ask why it is not the answer. */
function rivals(causes: readonly WeighedCause[], winner: WeighedCause | null, facts: CauseFacts): RankedCause[] {
  const others = causes.filter((cause) => cause !== winner)
  const correlated = others.filter((cause) => isCorrelated(cause, facts))
  const weighed = others.filter((cause, at) => (at === 0 || cause.score >= LEAST_RIVAL) && !isCorrelated(cause, facts))
  return [...weighed.slice(0, MAX_RIVALS - correlated.length), ...correlated]
    .sort((one, other) => other.score - one.score || (other.atUs ?? 0) - (one.atUs ?? 0))
    .map((cause) => ({ ...cause, isAnswer: false, reason: whyNot(cause.findings, cause.score, winner) }))
}

function rivalView({ kind, title, reason }: RankedCause): LikelyCause['rivals'][number] {
  return { kind, title, reason }
}

function asAnswer(winner: WeighedCause): RankedCause {
  return { ...winner, isAnswer: true, reason: evidence(winner.findings).evidenceFor[0] ?? '' }
}

function isCorrelated({ deployId, isInferred }: WeighedCause, { correlatedId }: CauseFacts): boolean {
  return isInferred || (deployId !== null && deployId === correlatedId)
}

function whyNot(findings: readonly Finding[], score: number, winner: WeighedCause | null): string {
  const against = findings.filter(({ weight }) => weight < 0).sort((one, other) => one.weight - other.weight)
  const [strongest] = against
  if (strongest !== undefined) return strongest.text
  if (winner === null) return 'There is too little evidence for it.'
  return winner.score - score < 1 ? 'There is almost as much evidence for it.' : 'There is less evidence for it.'
}

/** The strongest first. */
function evidence(findings: readonly Finding[]): Pick<LikelyCause, 'evidenceFor' | 'evidenceAgainst'> {
  const sorted = findings.toSorted((one, other) => Math.abs(other.weight) - Math.abs(one.weight))
  return {
    evidenceFor: sorted.filter(({ weight }) => weight > 0).map(({ text }) => text),
    evidenceAgainst: sorted.filter(({ weight }) => weight < 0).map(({ text }) => text),
  }
}
