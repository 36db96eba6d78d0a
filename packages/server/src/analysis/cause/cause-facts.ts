/** Everything that is weighed when the cause of an analysis is looked for. What could not be read is null. */
import type { DeployCommits } from '@tidemark/wire/deploys/deploy'
import type { Deploy } from '../../model/deploy.ts'
import type { Suspect } from '../suspect/suspects.ts'
import { nameWords } from '../words.ts'
import type { ConfigurationChange } from './configuration-changes.ts'
import type { CommitAt } from './correlation.ts'
import type { Course } from './error-course.ts'
import type { Operation } from './operation.ts'
import type { Trouble } from './outside-trouble.ts'
import type { StandoutFound } from './standouts.ts'

type Values = readonly { value: string; count: number }[]

/** What the commits of a revision have to do with the error. */
export type CommitFacts = {
  /** Best first. */
  suspects: readonly Suspect[]
  /** How closely they could be compared: with the stack, with the service alone, or not at all. */
  looked: 'stack' | 'service' | null
}

export type DeployFacts = CommitFacts & {
  deploy: Deploy
  /** Recorded under the environment of the errors, or under a name that looks like it. */
  place: 'same' | 'alike'
  isRollback: boolean
  /** Null without a repository, or when it does not know the revisions. */
  step: Exclude<DeployCommits['step'], 'unknown'> | null
  /** How often the failing code ran between the deploy and the onset, without failing. */
  opportunities: { records: number; isSampled: boolean } | null
  /** Of the environments that have the errors too, those to which the same revision was deployed. */
  alsoDeployedTo: readonly string[]
}

export type End =
  | { kind: 'going' }
  | { kind: 'deploy'; deploy: Deploy; isRollback: boolean }
  /** `wellAfter`: how often the failing code ran since without failing. */
  | { kind: 'alone'; wellAfter: number | null }

export type CauseFacts = {
  environment: string
  environmentDefaulted: boolean
  service: string
  firstSeenUs: number
  course: Course
  end: End
  trouble: Trouble | null
  /** Succeeded, failed and cancelled, newest first. */
  deploys: readonly DeployFacts[]
  correlatedId: string | null
  /** Where no deploy was recorded: the commit of the default branch at that time, and what led to it. */
  commit: (CommitFacts & { commit: CommitAt }) | null
  /** Of the errors, and of the other records of the service since the onset. */
  errorReleases: Values
  otherReleases: Values
  /** Other environments with the same errors at that time. */
  elsewhere: readonly { environment: string; count: number }[]
  /** Other analyses that began within minutes. */
  alongside: readonly { service: string; environment: string; trouble: Trouble | null }[]
  standouts: readonly StandoutFound[]
  configuration: readonly ConfigurationChange[]
  /** Records per hour in the environment, before the onset and since. */
  load: { before: number; after: number } | null
  operation: Operation | null
  /** Since the onset: errors, and records of the same operation that went well. */
  sinceOnset: { errors: number; well: number } | null
  /** Whether anything was logged in the environment before the onset. */
  hasRecordsBefore: boolean | null
}

/** `weight` is roughly how many times a doubling of the odds: positive speaks for it. */
export type Finding = { weight: number; text: string }

export function present(findings: readonly (Finding | null)[]): Finding[] {
  return findings.filter((finding) => finding !== null)
}

/** ` in payments`, after what began there; nothing where no service is named. */
export function inService({ service }: Pick<CauseFacts, 'service'>): string {
  return service === '' ? '' : ` in ${nameWords(service)}`
}

/** Errors that the gap would have brought at the rate of since then. */
export function expectedErrors(records: number, { sinceOnset }: Pick<CauseFacts, 'sinceOnset'>): number | null {
  if (sinceOnset === null || sinceOnset.errors === 0) return null
  return (records * sinceOnset.errors) / (sinceOnset.errors + sinceOnset.well)
}

/** Other services of the environment in which trouble of the same kind began within minutes. */
export function alsoInTrouble({ alongside, service, environment, trouble }: CauseFacts): CauseFacts['alongside'] {
  if (trouble === null) return []
  const others = alongside.filter((one) => one.service !== service && one.environment === environment)
  return others.filter((one) => one.trouble?.where === trouble.where)
}

export function servicesWords(troubled: CauseFacts['alongside']): string {
  const services = new Set(troubled.map(({ service }) => nameWords(service)))
  return [...services].slice(0, 3).join(', ')
}
