/** Causes other than a deploy: something that is called, the machine, a setting, the data, the load. */

import type { CauseKind } from '@tidemark/wire/analyses/cause'
import { amountWords, counted, withCommas } from '@tidemark/wire/text/counted'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { HOUR_US, MINUTE_US, SECOND_US } from '@tidemark/wire/time/units'
import { AT_THE_PLACE } from '../suspect/suspects.ts'
import { nameWords, shaWords } from '../words.ts'
import { alsoInTrouble, type CauseFacts, expectedErrors, type Finding, present, servicesWords } from './cause-facts.ts'
import { cameWith, configurationTitle, configurationWords } from './configuration-words.ts'
import type { Trouble } from './outside-trouble.ts'
import type { StandoutFound } from './standouts.ts'
import { LEAST_EXPECTED } from './thresholds.ts'

export type KnownCauseKind = Exclude<CauseKind, 'unknown'>
type OtherCause = { kind: KnownCauseKind; title: string; atUs: number | null; findings: Finding[] }

const LOAD_FACTOR = 2.5
/** Up to this many times more or less than the load, errors grew by as much. */
const AS_MUCH = 1.5
/** From here on the load alone explains no growth. */
const FAR_FROM = 2
/** What gives way when too much is asked of it. */
const OVERLOADED: ReadonlySet<Trouble['kind']> = new Set(['timeout', 'quota', 'files', 'upstream', 'memory'])

export function otherCauses(facts: CauseFacts): OtherCause[] {
  return [
    troubleCause(facts),
    ...configurationCauses(facts),
    dataCause(facts),
    hostCause(facts),
    loadCause(facts),
  ].filter((cause) => cause !== null)
}

function troubleCause(facts: CauseFacts): OtherCause | null {
  const { trouble, course } = facts
  if (trouble === null) return null
  const peer = trouble.peer === '' ? '' : ` (${nameWords(trouble.peer)})`
  const findings = [
    { weight: trouble.kind === 'memory' ? 1.5 : 3, text: `The errors say themselves that ${trouble.title}${peer}.` },
    severalServices(facts),
    occurredBefore(facts),
    overloaded(facts),
    endedAlone(facts),
    endedWithDeploy(facts),
    noDeployNear(facts),
  ]
  const title = `${trouble.title}${peer}`.replace(/^./, (first) => first.toUpperCase())
  return { kind: trouble.where, title, atUs: course.onsetUs, findings: present(findings) }
}

/** What always trickles is not an outage when it grows. */
function occurredBefore({ course }: CauseFacts): Finding | null {
  return course.basePerHour > 0 ? { weight: -1.5, text: 'The same errors occurred before, only fewer.' } : null
}

/** Something that answers late or not at all to far more calls than before need not be broken. */
function overloaded({ load, trouble, course }: CauseFacts): Finding | null {
  const factor = loadFactor(load)
  if (factor < LOAD_FACTOR || trouble === null || !OVERLOADED.has(trouble.kind)) return null
  return {
    weight: course.basePerHour > 0 ? -1.5 : -0.5,
    text: `There was ${amountWords(factor)} times the usual load, under which that is likely too.`,
  }
}

function severalServices(facts: CauseFacts): Finding | null {
  const troubled = alsoInTrouble(facts)
  if (troubled.length === 0) return null
  return { weight: 2, text: `Errors of this kind began within minutes in ${servicesWords(troubled)} too.` }
}

function endedAlone(facts: CauseFacts): Finding | null {
  const { end } = facts
  if (end.kind !== 'alone' || end.wellAfter === null) return null
  const expected = expectedErrors(end.wellAfter, facts)
  if (expected === null || expected < LEAST_EXPECTED) return null
  return { weight: 1.5, text: `It ended by itself, without a deploy.` }
}

function endedWithDeploy({ end }: CauseFacts): Finding | null {
  return end.kind === 'deploy' ? { weight: -1, text: `It ended with a deploy.` } : null
}

function noDeployNear({ deploys, course }: CauseFacts): Finding | null {
  const [newest] = deploys
  if (newest !== undefined && course.onsetUs - newest.deploy.deployedAtUs <= HOUR_US) return null
  return { weight: 0.5, text: 'Nothing was deployed in the hour before.' }
}

function configurationCauses(facts: CauseFacts): OtherCause[] {
  const { configuration, course, deploys, service } = facts
  const [first, ...others] = configuration
  if (first === undefined) return []
  const title = configurationTitle(first, service)
  const changedUs = first.atUs ?? course.onsetUs
  const brought = deploys.find(({ deploy }) => cameWith(deploy, changedUs))
  const findings = [
    first.atUs === null
      ? {
          weight: 2.5,
          text: `${configurationWords(first, { service, isTold: false })}.`,
        }
      : {
          weight: 4,
          text: `${configurationWords(first, { service, isTold: true })}, ${formatElapsed(Math.abs(course.onsetUs - first.atUs) / SECOND_US)} ${first.atUs > course.onsetUs ? 'after' : 'before'} the first error.`,
        },
    others.length === 0
      ? null
      : {
          weight: 0,
          text: `${counted(others.length, 'other setting')} changed too: ${others.map((one) => nameWords(one.name)).join(', ')}.`,
        },
    brought === undefined
      ? { weight: 0.5, text: 'No deploy went out with it.' }
      : {
          weight: -2,
          text: `A deploy ${brought.deploy.deployedAtUs <= changedUs ? 'had just gone' : 'was going'} out.`,
        },
    endedAlone(facts),
  ]
  return [{ kind: 'configuration', title, atUs: changedUs, findings: present(findings) }]
}

function dataCause(facts: CauseFacts): OtherCause | null {
  const [only] = facts.standouts.filter(({ role }) => role === 'data')
  if (only === undefined) return null
  const title = `Data with ${nameWords(only.field.name)}=${nameWords(only.value)}`
  return {
    kind: 'data',
    title,
    atUs: facts.course.onsetUs,
    findings: present([overRepresented(only), endedAlone(facts), changedCode(facts)]),
  }
}

/** What a commit changed may be used by one alone. */
function changedCode({ deploys }: CauseFacts): Finding | null {
  const near = deploys.find(({ suspects: [first] }) => first !== undefined && AT_THE_PLACE.has(first.nearness))
  if (near === undefined) return null
  return { weight: -1.5, text: `A commit of ${shaWords(near.deploy.sha)} changed what fails.` }
}

/** One machine among several that do the same. */
function hostCause(facts: CauseFacts): OtherCause | null {
  const [only] = facts.standouts.filter(
    ({ role, errors, errorsWithField }) => role === 'place' && errors === errorsWithField,
  )
  if (only === undefined) return null
  const title = `${nameWords(only.field.name)} ${nameWords(only.value)}`
  return {
    kind: 'environment',
    title,
    atUs: facts.course.onsetUs,
    findings: present([overRepresented(only), endedAlone(facts)]),
  }
}

function overRepresented(standout: StandoutFound): Finding {
  const { errors, errorsWithField } = standout
  const share = errors / errorsWithField
  return { weight: share >= 0.98 ? 3 : share >= 0.9 ? 2 : 1, text: `${standoutWords(standout)}.` }
}

export function standoutWords({
  field,
  value,
  errors,
  errorsWithField,
  others,
  othersWithField,
}: StandoutFound): string {
  const name = nameWords(field.name)
  return `${name}=${nameWords(value)}: ${withCommas(errors)} of ${withCommas(errorsWithField)} errors, ${withCommas(others)} of ${withCommas(othersWithField)} other records that have ${name}`
}

/** An old error grows with what it is a part of. */
function loadCause({ environment, load, course, trouble }: CauseFacts): OtherCause | null {
  const factor = loadFactor(load)
  if (factor < LOAD_FACTOR) return null
  const errorsPerHour = (course.count * HOUR_US) / Math.max(course.untilUs - course.onsetUs, 10 * MINUTE_US)
  const grown = course.basePerHour > 0 ? errorsPerHour / course.basePerHour : null
  const isOverload = trouble !== null && OVERLOADED.has(trouble.kind)
  const findings = [
    {
      weight: grown === null ? Math.min(1.5, factor / 4) : 2,
      text: `${nameWords(environment)} logged ${amountWords(factor)} times as much as before.`,
    },
    grown === null ? null : growthFinding(grown, factor, isOverload),
    isOverload
      ? { weight: grown === null ? 0.5 : 1.5, text: `This is what too much load looks like: ${trouble.title}.` }
      : null,
  ]
  return {
    kind: 'load',
    title: `${amountWords(factor)} times the usual load`,
    atUs: course.onsetUs,
    findings: present(findings),
  }
}

/** What gives way under load does so all at once: that it grew by far more does not speak against the load. */
function growthFinding(grown: number, factor: number, isOverload: boolean): Finding | null {
  const [errors, load] = [`${amountWords(grown)} times`, `${amountWords(factor)} times`]
  const ratio = grown / factor
  if (ratio >= 1 / AS_MUCH && ratio <= AS_MUCH) return { weight: 2.5, text: `The errors grew by as much: ${errors}.` }
  if (ratio >= 1 / FAR_FROM && ratio <= FAR_FROM) {
    return { weight: 1.5, text: `The errors grew ${errors}, the load ${load}.` }
  }
  if (ratio < 1) return { weight: -1, text: `The errors grew ${errors} only, the load ${load}.` }
  return isOverload ? null : { weight: -1, text: `The errors grew ${errors}, far more than the load: ${load}.` }
}

/** Zero when it is not known. */
function loadFactor(load: CauseFacts['load']): number {
  return load === null || load.before === 0 ? 0 : load.after / load.before
}
