/** What speaks for and against a deploy, or a commit where none was recorded, as the cause of errors. */

import { anchorWords } from '@tidemark/wire/analyses/correlated-words'
import { OUTCOME_WORDS } from '@tidemark/wire/deploys/deploy-status'
import { isHash, isSameRevision } from '@tidemark/wire/deploys/revision'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { HOUR_US, MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { AT_THE_PLACE, type Suspect } from '../suspect/suspects.ts'
import { nameWords, shaWords } from '../words.ts'
import {
  alsoInTrouble,
  type CauseFacts,
  type CommitFacts,
  type DeployFacts,
  expectedErrors,
  type Finding,
  inService,
  present,
  servicesWords,
} from './cause-facts.ts'
import { LEAST_EXPECTED, ONLY_ONE, TOLD_BY_TIME_US } from './thresholds.ts'

/** How much it speaks for a deploy that one of its commits is this near. */
const WEIGHTS: Record<Suspect['nearness'], number> = {
  line: 3.5,
  near: 3,
  function: 3,
  dependency: 2.5,
  file: 1.5,
  service: 0.5,
}

export function deployFindings(deploy: DeployFacts, facts: CauseFacts): Finding[] {
  return present([
    delay(deploy, facts),
    outcome(deploy),
    placeFinding(deploy, facts),
    novelty(deploy.deploy.deployedAtUs, facts),
    commits(deploy, facts, 'deploy'),
    step(deploy),
    releases(deploy, facts),
    ending(deploy, facts),
    elsewhere(deploy, facts),
    outside(deploy, facts),
    failsOthers(facts),
    oneOfMany(deploy, facts),
    defaulted(facts),
  ])
}

/** When the commit reached the environment is not known, so its time says less. */
export function commitFindings(commit: NonNullable<CauseFacts['commit']>, facts: CauseFacts): Finding[] {
  const elapsedUs = facts.course.onsetUs - commit.commit.committedAtUs
  return present([
    {
      weight: elapsedUs <= HOUR_US ? 1 : elapsedUs <= 24 * HOUR_US ? 0 : -1,
      text: `${began(facts)} ${formatElapsed(elapsedUs / SECOND_US)} after the commit.`,
    },
    novelty(commit.commit.committedAtUs, facts, 'commit'),
    commits(commit, facts, 'commit'),
    ending(null, facts),
    outside(commit, facts),
    failsOthers(facts),
    oneOfMany(commit, facts),
    defaulted(facts),
  ])
}

/** `In payments the first error came` */
function began(facts: CauseFacts): string {
  const what = facts.course.basePerHour > 0 ? onsetWords(facts) : `${onsetWords(facts)} came`
  const text = `${inService(facts).trimStart()} ${what}`.trimStart()
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Without a base the onset is the anchor of the episode. */
function onsetWords({ course, firstSeenUs }: CauseFacts): string {
  if (course.basePerHour > 0) return 'the errors began to grow'
  return anchorWords({ firstSeen: firstSeenUs, anchor: course.onsetUs })
}

/** Opportunities count, not the clock: what did not run could not fail. */
function delay({ deploy, opportunities }: DeployFacts, facts: CauseFacts): Finding {
  const elapsedUs = facts.course.onsetUs - deploy.deployedAtUs
  if (elapsedUs < 0) return recordedLate(deploy, facts)
  const text = `${began(facts)} ${formatElapsed(elapsedUs / SECOND_US)} after the deploy`
  if (elapsedUs <= TOLD_BY_TIME_US) return { weight: 2, text: `${text}.` }
  const ran = opportunities?.records ?? null
  const what = operationWords(facts)
  if (ran === 0 && facts.operation !== null) {
    return { weight: 2, text: `${text}, on the first run of ${what} since.` }
  }
  const expected = ran === null || takesTime(facts) ? null : expectedErrors(ran, facts)
  if (expected !== null && expected >= LEAST_EXPECTED) {
    const weight = expected >= 10 ? -3 : expected >= 4 ? -2 : -1
    const about = opportunities?.isSampled === true ? 'about ' : ''
    const many = expected >= 10 ? `some ${Math.round(expected)}` : 'several'
    return {
      weight,
      text: `${text}: ${about}${ran} of ${what} went well in between, where ${many} failures would have been expected.`,
    }
  }
  if (elapsedUs <= 30 * MINUTE_US) return { weight: 1.5, text: `${text}.` }
  if (elapsedUs <= HOUR_US) return { weight: 1, text: `${text}.` }
  if (elapsedUs <= 6 * HOUR_US) return { weight: 0, text: `${text}.` }
  return { weight: elapsedUs <= 24 * HOUR_US ? -1 : -2, text: `${text.replace(/ came (?=\d)/, '$&only ')}.` }
}

/** Only what the errors say themselves can tell that it was running before it was recorded. */
function recordedLate(deploy: DeployFacts['deploy'], facts: CauseFacts): Finding {
  const { course, errorReleases } = facts
  const text = `It was recorded ${formatElapsed((deploy.deployedAtUs - course.onsetUs) / SECOND_US)} after ${onsetWords(facts)}`
  if (!errorReleases.some(({ value }) => isRevision(value, deploy))) return { weight: -3, text: `${text}.` }
  return { weight: 1.5, text: `${text}, which already came from its revision.` }
}

/** Memory and handles run out hours after what leaks them, and a leak is of the program. */
function takesTime({ trouble }: CauseFacts): boolean {
  return trouble?.kind === 'memory' || trouble?.kind === 'files'
}

function operationWords({ operation, service }: CauseFacts): string {
  if (operation !== null) return `${nameWords(operation.field.name)}=${nameWords(operation.value)}`
  return service === '' ? 'the records' : `the records of ${nameWords(service)}`
}

function outcome({ deploy: { status } }: DeployFacts): Finding | null {
  if (status === 'succeeded') return null
  return { weight: -2.5, text: `It ${OUTCOME_WORDS[status]}, so its code should not have run.` }
}

function placeFinding({ deploy, place }: DeployFacts, { environment, errorReleases }: CauseFacts): Finding | null {
  if (place === 'same') return null
  const text = `It was recorded for ${nameWords(deploy.environment)}, while the errors are of ${nameWords(environment)}`
  const named = errorReleases.filter(({ value }) => isRevision(value, deploy))
  if (named.length === 0) return { weight: -1.5, text: `${text}.` }
  return { weight: 2, text: `${text}; but their own release is ${shaWords(deploy.sha)}.` }
}

function novelty(startedUs: number, facts: CauseFacts, what = 'deploy'): Finding | null {
  const { firstSeenUs, course, hasRecordsBefore } = facts
  if (firstSeenUs < startedUs) {
    if (course.basePerHour > 0) {
      const times = `${amountWords(course.basePerHour)} an hour`
      return { weight: -0.5, text: `It existed before the ${what}: ${times} until then.` }
    }
    return {
      weight: -0.5,
      text: `It is not new: first seen ${formatElapsed((startedUs - firstSeenUs) / SECOND_US)} before the ${what}.`,
    }
  }
  if (hasRecordsBefore === false) {
    return { weight: -1, text: `Nothing was logged in the environment before, so there is nothing to compare with.` }
  }
  return { weight: 1, text: `It was never seen before the ${what}.` }
}

function commits({ suspects, looked }: CommitFacts, { service }: CauseFacts, what: string): Finding | null {
  const [first] = suspects
  if (first !== undefined) {
    // A stack that could be compared, and of which nothing was touched, speaks against it.
    const weight = first.nearness === 'service' && looked === 'stack' ? -1 : WEIGHTS[first.nearness]
    return { weight, text: `Its commit ${shaWords(first.commit.sha)} ${first.reason}.` }
  }
  if (looked === 'stack') {
    return { weight: -2.5, text: `No commit of this ${what} touches anything in this stack.` }
  }
  if (looked === 'service') {
    return { weight: -1.5, text: `No commit of this ${what} touches the service ${nameWords(service)}.` }
  }
  return null
}

function step({ step: kind, isRollback }: DeployFacts): Finding | null {
  if (kind === 'same') return { weight: -2, text: 'It brought no commit: the same revision ran already.' }
  if (isRollback) return { weight: 0, text: 'It is a rollback: an older revision runs again.' }
  return null
}

/**
 * A release that was the only one running is no evidence. One that was deployed later holds what this deploy brought, so
 * only errors of earlier releases speak against it.
 */
function releases(one: DeployFacts, { deploys, errorReleases, otherReleases }: CauseFacts): Finding | null {
  const { deploy, place } = one
  const named = errorReleases.filter(({ value }) => value !== '')
  const total = sum(named)
  if (total === 0) return null
  const words = shaWords(deploy.sha)
  const later = deploys.filter((other) => other.deploy.deployedAtUs > deploy.deployedAtUs && !other.isRollback)
  const holds = (value: string) => isRevision(value, deploy) || later.some((other) => isRevision(value, other.deploy))
  const holding = sum(named.filter(({ value }) => holds(value)))
  if (holding === 0) {
    const [first] = named
    if (first === undefined || !isHash(deploy.sha) || !named.every(({ value }) => isHash(value))) return null
    return { weight: -3, text: `The errors come from release ${shaWords(first.value)}, none from ${words}.` }
  }
  const own = sum(named.filter(({ value }) => isRevision(value, deploy)))
  if (holding < total) {
    const text = `${withCommas(holding)} of ${counted(total, 'error')} that name a release come from ${words}${own < holding ? ' or later' : ''}.`
    return { weight: holding * 5 >= total * 4 ? 0.5 : -2, text }
  }
  const well = sum(otherReleases.filter(({ value }) => value !== '' && !holds(value)))
  if (well >= LEAST_OTHER_RELEASE && place === 'same' && own > 0) {
    const all = total === 1 ? 'The error comes' : `All ${withCommas(total)} errors come`
    return {
      weight: well >= 5 * LEAST_OTHER_RELEASE && total >= 3 ? 3 : 1.5,
      text: `${all} from ${words}, while ${counted(well, 'record')} of other releases went well at the same time.`,
    }
  }
  return null
}

const LEAST_OTHER_RELEASE = 10

function isRevision(value: string, { sha, ref }: DeployFacts['deploy']): boolean {
  return isSameRevision(value, sha) || (value !== '' && value === ref)
}

function ending(candidate: DeployFacts | null, facts: CauseFacts): Finding | null {
  const { end, course } = facts
  if (end.kind === 'deploy') {
    const after = formatElapsed((course.untilUs - course.onsetUs) / SECOND_US)
    if (candidate?.deploy.id === end.deploy.id) return null
    const how = end.isRollback ? 'the rollback to' : 'the next deploy,'
    return { weight: end.isRollback ? 2 : 1, text: `It ended after ${after} with ${how} ${shaWords(end.deploy.sha)}.` }
  }
  if (end.kind === 'going' || end.wellAfter === null) return null
  const expected = expectedErrors(end.wellAfter, facts)
  if (expected === null || expected < LEAST_EXPECTED) return null
  return {
    weight: expected >= 5 ? -2 : -1,
    text: `It ended without a deploy: ${withCommas(end.wellAfter)} of ${operationWords(facts)} went well since.`,
  }
}

function elsewhere({ alsoDeployedTo, deploy }: DeployFacts, { elsewhere: places }: CauseFacts): Finding | null {
  const [first] = places.filter(({ environment }) => environment !== deploy.environment)
  if (first === undefined) return null
  const without = places.filter(({ environment }) => !alsoDeployedTo.includes(environment))
  const named = (list: CauseFacts['elsewhere']) =>
    list
      .slice(0, 3)
      .map((one) => `${withCommas(one.count)} in ${nameWords(one.environment)}`)
      .join(', ')
  if (without.length > 0) {
    return { weight: -1.5, text: `The same errors occur where this revision was not deployed: ${named(without)}.` }
  }
  return { weight: 0.5, text: `The same errors occur where this revision was deployed too: ${named(places)}.` }
}

/** A leak is of the program, but not of a deploy that brought nothing to it. */
function outside({ suspects, looked }: CommitFacts, facts: CauseFacts): Finding | null {
  const { trouble } = facts
  const isElsewhere = suspects.length === 0 && looked !== null
  if (trouble === null || (takesTime(facts) && !isElsewhere)) return null
  const [first] = suspects
  const isTouched = first !== undefined && AT_THE_PLACE.has(first.nearness)
  return {
    weight: isTouched || takesTime(facts) ? -1 : -2.5,
    text: `The error is of a kind that comes from outside the program: ${trouble.title}.`,
  }
}

/**
 * What is called fails for other callers too. Left out: what runs on the machine itself, which is another one for each
 * caller, and services that are failing themselves, which the deploy may have broken.
 */
function failsOthers(facts: CauseFacts): Finding | null {
  const { trouble, alongside } = facts
  if (trouble === null || trouble.peer === '' || OF_THE_MACHINE.test(trouble.peer)) return null
  const [host] = trouble.peer.split(/[.:]/)
  if (alongside.some((one) => one.service === host)) return null
  const others = alsoInTrouble(facts).filter((one) => one.trouble?.peer === trouble.peer)
  if (others.length === 0) return null
  return {
    weight: -2,
    text: `${nameWords(trouble.peer)} began to fail within minutes in ${servicesWords(others)} too.`,
  }
}

const OF_THE_MACHINE = /^(?:localhost|127\.|0\.0\.0\.0)/

/** From here on it is no accident that all errors are of one value. */
const MANY_OF_ONE = 10

/** Others run the same code. */
function oneOfMany({ suspects }: CommitFacts, { standouts }: CauseFacts): Finding | null {
  const only = standouts.find(({ role, errors, errorsWithField }) => {
    return (role === 'data' || role === 'place') && errors >= ONLY_ONE * errorsWithField
  })
  if (only === undefined) return null
  const [first] = suspects
  const isTouched = first !== undefined && AT_THE_PLACE.has(first.nearness)
  return {
    weight: isTouched ? -0.5 : only.errors >= MANY_OF_ONE ? -2 : -1.5,
    text: `Only ${nameWords(only.field.name)}=${nameWords(only.value)} fails, although others run the same code.`,
  }
}

function defaulted({ environmentDefaulted, environment }: CauseFacts): Finding | null {
  if (!environmentDefaulted) return null
  return {
    weight: -0.5,
    text: `The sender named no environment; ${nameWords(environment)} is the default of the project.`,
  }
}

function sum(values: readonly { count: number }[]): number {
  return values.reduce((total, { count }) => total + count, 0)
}
