/**
 * What the records say about why some errors began: a few questions to the log store for all analyses of an answer
 * together, however many there are. Where there are too many records, parts of the time are looked at.
 */
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import type { CauseFacts, DeployFacts } from '../../analysis/cause/cause-facts.ts'
import {
  type ConfigurationChange,
  changedAtStart,
  changedInRecords,
  toldChanges,
} from '../../analysis/cause/configuration-changes.ts'
import type { Course } from '../../analysis/cause/course.ts'
import { type Operation, operationOf } from '../../analysis/cause/operation.ts'
import { NOTHING, type Profile, together } from '../../analysis/cause/profile.ts'
import { type Rates, rateSpans } from '../../analysis/cause/rates.ts'
import { isOverRepresented, type StandoutFound, standoutsOf } from '../../analysis/cause/standouts.ts'
import { ONLY_ONE, SOON_US } from '../../analysis/cause/thresholds.ts'
import type { RecordKind } from '../../analysis/group/records-query.ts'
import type { ErrorSpan, ProfilePlace, ProjectLogs, TimeRange, ValuePlace } from '../../logstore/log-store.ts'
import type { Analysis } from '../../model/analysis.ts'
import { askTogether, type Together } from './ask-together.ts'
import type { Candidate } from './deploy-candidates.ts'
import { unlessAway } from './unless-away.ts'
import { kept, type Sampled, sampled, wholeMinutes, windowsOf } from './windows.ts'

/** Records whose fields are read. */
const MAX_PROFILED = 20_000
const MAX_ERRORS_PROFILED = 5_000
/** Records that are counted by one value. */
const MAX_COUNTED = 200_000
/** Fewer errors than this have nothing in common that could be told from chance. */
const LEAST_PROFILED = 5
const FRESH_START_US = HOUR_US / 2
const START_TOLERANCE_US = MINUTE_US
const EARLIER_STARTS_US = 7 * 24 * HOUR_US
const MOST_AFTER_END_US = 6 * HOUR_US

export type RecordSubject = {
  analysis: Analysis
  kinds: readonly RecordKind[]
  course: Course
  candidates: readonly Candidate[]
  /** When the correlated deploy, or commit, was; null without one. */
  startedUs: number | null
}

export type RecordEvidence = Pick<
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

export function noRecordEvidence({ candidates }: Pick<RecordSubject, 'candidates'>): RecordEvidence {
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

type Question = { nowUs: number; oldestUs: number; signal: AbortSignal | undefined }

/** By id. Null when the log store did not answer. */
export async function readRecordEvidence(
  logs: ProjectLogs,
  subjects: readonly RecordSubject[],
  question: Question,
): Promise<Map<string, RecordEvidence> | null> {
  const { signal } = question
  const ask = askTogether(logs, signal)
  const asking = Promise.all(
    subjects.map(async (subject) => [subject.analysis.id, await evidenceOf(ask, subject, question)] as const),
  )
  const found = await unlessAway(asking, signal)
  return found === null ? null : new Map(found)
}

async function evidenceOf(ask: Together, subject: RecordSubject, question: Question): Promise<RecordEvidence> {
  const { analysis, kinds, course, candidates } = subject
  const { nowUs, oldestUs } = question
  const { environment } = analysis
  const { before, after } = windowsOf(course, nowUs, oldestUs)
  if (after === null || kinds.length === 0) return noRecordEvidence(subject)
  const gaps = candidates.map(({ deploy }) => kept({ fromUs: deploy.deployedAtUs, toUs: course.onsetUs }, oldestUs))
  const afterEnd = course.isOver ? kept(afterEndOf(course, nowUs), oldestUs) : null
  // About how many there are: whole minutes, which the table counts itself. A range that ends with the onset ends before its minute.
  const records = (range: TimeRange | null) =>
    range === null ? 0 : ask.records({ range: wholeMinutes(range), environment })

  const [rates, everywhere, errorReleases, inBefore, inAfter, inAfterEnd, inGaps, fresh] = await Promise.all([
    ratesOf(ask, subject, question),
    ask.errors({ range: after, kinds, environment: null, by: 'environment' }),
    ask.errors({ range: after, kinds, environment, by: 'release' }),
    records(before),
    records(after),
    records(afterEnd),
    Promise.all(gaps.map(records)),
    ask.starts(startSpan(analysis, course.onsetUs - FRESH_START_US, course.onsetUs + START_TOLERANCE_US)),
  ])
  const ownErrors = everywhere.find(({ value }) => value === environment)?.count ?? 0
  const looked = sampled(after, inAfter, MAX_PROFILED)
  const errorsLooked = sampled(after, ownErrors, MAX_ERRORS_PROFILED)
  const isLong = candidates.some(({ deploy }) => course.onsetUs - deploy.deployedAtUs > SOON_US)
  // Few errors right after a deploy have nothing in common that could be told from chance.
  const isTelling = ownErrors >= LEAST_PROFILED || isLong
  const profile = (part: Sampled | null, of: ProfilePlace['of']) =>
    part === null || !isTelling ? NOTHING : ask.profile(profilePlace(subject, part, of))
  const [errors, others, earlier, starts] = await Promise.all([
    profile(errorsLooked, 'errors'),
    profile(looked, 'others'),
    profile(before && sampled(before, inBefore, MAX_PROFILED), 'others'),
    fresh.length === 0
      ? []
      : ask.starts(startSpan(analysis, course.onsetUs - EARLIER_STARTS_US, course.onsetUs - FRESH_START_US)),
  ])
  const operation = operationOf(errors, [others, earlier])
  // Failing requests leave other records too, so what went before says best what is usual.
  const usual = before === null ? [looked] : [looked, sampled(before, inBefore, MAX_PROFILED)]
  const standouts = await countedStandouts(ask, subject, usual, standoutsOf(errors, together(others, earlier)))
  const counted = isLong || course.isOver ? whatRan(analysis, operation, standouts) : []
  const well = async (range: TimeRange | null, inRange: number) => {
    if (range === null || counted.length === 0) return null
    const part = sampled(range, inRange, MAX_COUNTED)
    const counts = await Promise.all(counted.map((one) => ask.values(valuePlace(subject, part, one))))
    return { records: Math.round(Math.min(...counts) / part.share), isSampled: part.share < 1 }
  }
  const [opportunities, sinceOnset, wellAfterEnd] = await Promise.all([
    Promise.all(gaps.map((gap, at) => well(gap, inGaps[at] ?? 0))),
    well(after, inAfter),
    well(afterEnd, inAfterEnd),
  ])
  return {
    errorReleases,
    otherReleases: releasesOf(others),
    elsewhere: everywhere
      .filter(({ value }) => value !== environment)
      .map(({ value, count }) => ({ environment: value, count })),
    standouts,
    configuration: changesOf(fresh, starts, earlier, others),
    load: before === null ? null : loadOf(before, inBefore, after, inAfter - ownErrors),
    operation,
    sinceOnset: sinceOnset && { errors: ownErrors, well: sinceOnset.records },
    hasRecordsBefore: before === null ? null : inBefore > 0,
    rates,
    // What was found in a part of the time may have been missed in the rest: nothing is known then.
    opportunities: opportunities.map((one) => (one !== null && one.records === 0 && one.isSampled ? null : one)),
    wellAfterEnd: wellAfterEnd?.records ?? null,
    isSampled: [errorsLooked, ...usual].some(({ share }) => share < 1),
  }
}

async function ratesOf(
  ask: Together,
  { analysis, kinds, startedUs }: RecordSubject,
  { nowUs, oldestUs }: Question,
): Promise<Rates | null> {
  const spans = startedUs === null ? null : rateSpans(startedUs, nowUs, oldestUs)
  if (spans === null || startedUs === null) return null
  const { environment } = analysis
  const rate = async (range: TimeRange) => {
    const span: ErrorSpan = { range, kinds, environment, by: null }
    const [errors, records] = await Promise.all([ask.errors(span), ask.records({ range, environment })])
    return { ...range, errors: errors.reduce((sum, { count }) => sum + count, 0), records }
  }
  const [before, after] = await Promise.all([rate(spans.before), rate(spans.after)])
  return { before, after, existedBefore: analysis.firstSeenUs < startedUs }
}

function afterEndOf({ onsetUs, untilUs }: Course, nowUs: number): TimeRange {
  const lengthUs = Math.min(Math.max(untilUs - onsetUs, HOUR_US), MOST_AFTER_END_US)
  return { fromUs: untilUs + 1, toUs: Math.min(nowUs, untilUs + lengthUs) }
}

function startSpan({ environment, service }: Analysis, fromUs: number, toUs: number) {
  return { range: { fromUs: Math.max(0, fromUs), toUs }, environment, service }
}

function profilePlace({ analysis, kinds }: RecordSubject, { ranges }: Sampled, of: ProfilePlace['of']): ProfilePlace {
  return { ranges, environment: analysis.environment, service: analysis.service || null, kinds, of }
}

function valuePlace({ analysis, kinds }: RecordSubject, { ranges }: Sampled, { field, value }: Operation): ValuePlace {
  return { ranges, environment: analysis.environment, service: analysis.service || null, kinds, field, value }
}

/**
 * What could have failed: the operation, or the service where errors share none, and where only one tenant fails, what ran
 * for that one. Of several the rarest bounds how often all of it came together.
 */
function whatRan({ service }: Analysis, operation: Operation | null, standouts: readonly StandoutFound[]): Operation[] {
  const only = standouts.filter(
    ({ role, errors, errorsWithField }) => role === 'data' && errors >= ONLY_ONE * errorsWithField,
  )
  const ran: Operation[] = [...(operation === null ? [] : [operation]), ...only]
  if (ran.length > 0 || service === '') return ran
  return [{ field: { kind: 'core', name: 'service' }, value: service }]
}

/** Only the most frequent values of the others are listed: of a rare one it is counted how often they have it. */
async function countedStandouts(
  ask: Together,
  subject: RecordSubject,
  usual: readonly Sampled[],
  found: readonly StandoutFound[],
): Promise<StandoutFound[]> {
  const counted = await Promise.all(
    found.map(async (one) => {
      if (one.others > 0) return one
      const counts = await Promise.all(usual.map((part) => ask.values(valuePlace(subject, part, one))))
      return { ...one, others: counts.reduce((sum, count) => sum + count, 0) }
    }),
  )
  return counted.filter(isOverRepresented)
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
  const perHour = (records: number, { fromUs, toUs }: TimeRange) => (records * HOUR_US) / (toUs - fromUs)
  return { before: perHour(inBefore, before), after: perHour(Math.max(0, inAfter), after) }
}
