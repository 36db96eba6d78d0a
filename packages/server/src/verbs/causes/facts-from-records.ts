/**
 * What the records say about why some errors began: a few questions to the log store for all analyses of an answer
 * at once, however many there are. Where there are too many records, parts of the time are looked at.
 */
import type { CauseFacts, DeployFacts } from '../../analysis/cause/cause-facts.ts'
import {
  type ConfigurationChange,
  changedAtStart,
  changedInRecords,
  toldChanges,
} from '../../analysis/cause/configuration-changes.ts'
import { perHour, type Rates } from '../../analysis/cause/rates.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { Profile } from '../../model/profile.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { batchQuestions } from './batched-questions.ts'
import {
  type Question,
  type RecordSubject,
  readCounts,
  readOpportunities,
  readOwnProfiles,
  readStandouts,
  windowsAround,
} from './record-steps.ts'
import { unlessAway } from './unless-away.ts'

export type FactsFromRecords = Pick<
  CauseFacts,
  | 'errorReleases'
  | 'otherReleases'
  | 'elsewhere'
  | 'standouts'
  | 'configuration'
  | 'load'
  | 'operation'
  | 'sinceOnset'
  | 'hasRecordsBefore'
> & {
  rates: Rates | null
  /** In the order of the candidates. */
  opportunities: DeployFacts['opportunities'][]
  wellAfterEnd: number | null
  isSampled: boolean
}

export function noFactsFromRecords({ candidates }: Pick<RecordSubject, 'candidates'>): FactsFromRecords {
  return {
    errorReleases: [],
    otherReleases: [],
    elsewhere: [],
    standouts: [],
    configuration: [],
    load: null,
    operation: null,
    sinceOnset: null,
    hasRecordsBefore: null,
    rates: null,
    opportunities: candidates.map(() => null),
    wellAfterEnd: null,
    isSampled: false,
  }
}

/** By the analyses as they were given. Null when the log store did not answer. */
export async function readFactsFromRecords(
  logs: ProjectLogs,
  subjects: readonly RecordSubject[],
  question: Question,
): Promise<Map<Analysis, FactsFromRecords> | null> {
  const found = await unlessAway(readSteps(logs, subjects, question), question.signal)
  if (found === null) return null
  const read = new Map(found.map((one) => [one.analysis, factsOf(one)]))
  return new Map(subjects.map((one) => [one.analysis, read.get(one.analysis) ?? noFactsFromRecords(one)]))
}

/**
 * Each step for all analyses before the next, also for those that have nothing to ask in it: so what they ask is one
 * question of its kind in each step. If one went ahead of the others, its questions would be asked apart from theirs.
 */
async function readSteps(logs: ProjectLogs, subjects: readonly RecordSubject[], question: Question) {
  const ask = batchQuestions(logs, question.signal)
  const looked = subjects.flatMap((one) => windowsAround(one, question) ?? [])
  const counted = await Promise.all(looked.map((one) => readCounts(ask, one, question)))
  const profiled = await Promise.all(counted.map((one) => readOwnProfiles(ask, one)))
  const compared = await Promise.all(profiled.map((one) => readStandouts(ask, one)))
  return Promise.all(compared.map((one) => readOpportunities(ask, one)))
}

type Read = Awaited<ReturnType<typeof readOpportunities>>

function factsOf(read: Read): FactsFromRecords {
  const { before, after, inBefore, inAfter, ownErrors, others, opportunities, wellSinceOnset } = read
  const elsewhere = read.everywhere.filter(({ value }) => value !== read.analysis.environment)
  return {
    errorReleases: read.errorReleases,
    otherReleases: releasesOf(others),
    elsewhere: elsewhere.map(({ value, count }) => ({ environment: value, count })),
    standouts: read.standouts,
    configuration: changesOf(read.fresh, read.starts, read.earlier, others),
    load: before === null ? null : loadOf(before, inBefore, after, inAfter - ownErrors),
    operation: read.operation,
    sinceOnset: wellSinceOnset && { errors: ownErrors, well: wellSinceOnset.records },
    hasRecordsBefore: before === null ? null : inBefore > 0,
    rates: read.rates,
    // What was found in a part of the time may have been missed in the rest: nothing is known then.
    opportunities: opportunities.map((one) => (one !== null && one.records === 0 && one.isSampled ? null : one)),
    wellAfterEnd: read.wellAfterEnd?.records ?? null,
    isSampled: [read.lookedErrors, ...read.parts].some(({ share }) => share < 1),
  }
}

function releasesOf({ fields }: Profile): CauseFacts['errorReleases'] {
  return fields.find(({ field }) => field.kind === 'core' && field.name === 'release')?.values ?? []
}

/** What a record says itself to have changed comes first, then what differs between starts, then between records. */
function changesOf(
  fresh: Parameters<typeof changedAtStart>[0],
  starts: Parameters<typeof changedAtStart>[0],
  before: Profile,
  after: Profile,
): ConfigurationChange[] {
  const ways = [() => toldChanges(fresh), () => changedAtStart(fresh, starts), () => changedInRecords(before, after)]
  for (const way of ways) {
    const changes = way()
    if (changes.length > 0) return changes
  }
  return []
}

function loadOf(before: TimeRange, inBefore: number, after: TimeRange, inAfter: number): CauseFacts['load'] {
  return { before: perHour(inBefore, before), after: perHour(Math.max(0, inAfter), after) }
}
