/**
 * The steps in which records are read for one analysis: windows, counts, profiles, standouts, opportunities. Each takes
 * what the one before found and adds to it. A step asks all it has to ask before it waits for anything, so that what many
 * analyses ask in the same step becomes one question.
 */

import type { Retention } from '@tidemark/wire/retention'
import { HOUR_US } from '@tidemark/wire/time/units'
import type { Course } from '../../analysis/cause/error-course.ts'
import type { EndFacts } from '../../analysis/cause/error-end.ts'
import { type Operation, operationOf } from '../../analysis/cause/operation.ts'
import { combined, NOTHING } from '../../analysis/cause/profile.ts'
import { MOST_SPAN_US, type Rates, rateSpans } from '../../analysis/cause/rates.ts'
import { isOverRepresented, type StandoutFound, standoutsOf } from '../../analysis/cause/standouts.ts'
import { ONLY_ONE, TOLD_BY_TIME_US } from '../../analysis/cause/thresholds.ts'
import type { ErrorSpan, ProfilePlace, ValuePlace } from '../../logstore/questions.ts'
import type { Analysis } from '../../model/analysis.ts'
import type { ErrorKind } from '../../model/grouping-rule.ts'
import { comparableSinceUs, kept } from '../../model/retention.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { BatchedQuestions } from './batched-questions.ts'
import type { Candidate } from './deploy-candidates.ts'
import {
  EARLIER_STARTS_US,
  type Sampled,
  START_TOLERANCE_US,
  sampled,
  toMinutesBefore,
  windowsOf,
} from './onset-windows.ts'

/** Records whose fields are read. */
const MAX_PROFILED = 20_000
const MAX_ERRORS_PROFILED = 5_000
/** Of the environment: fewer before the onset do not tell what is usual, and more of the time before is looked at. */
const ENOUGH_BEFORE = 1_000
/** Records that are counted by one value. */
const MAX_COUNTED = 200_000
/** Fewer errors than this have nothing in common that could be told from chance. */
const LEAST_PROFILED = 5
const FRESH_START_US = HOUR_US / 2
const MOST_AFTER_END_US = 6 * HOUR_US

export type RecordSubject = {
  analysis: Analysis
  kinds: readonly ErrorKind[]
  course: Course
  candidates: readonly Candidate[]
  /** When the correlated deploy, or commit, was; null without one. */
  startedUs: number | null
  /** The deploy with which they ended; null where none did. */
  ended: EndFacts
}

export type Question = { nowUs: number; retention: Retention; signal: AbortSignal | undefined }

type Looked = NonNullable<ReturnType<typeof windowsAround>>
type Counted = Awaited<ReturnType<typeof readCounts>>
type Profiled = Awaited<ReturnType<typeof readOwnProfiles>>
type Compared = Awaited<ReturnType<typeof readStandouts>>

/**
 * Null when there is nothing to look at. `gaps`: from each candidate to the onset, where something may have run in
 * between. `afterEnd`: only where no deploy explains the end.
 */
export function windowsAround(subject: RecordSubject, { nowUs, retention }: Question) {
  const { kinds, course, candidates, ended } = subject
  const { environment } = subject.analysis
  const oldestUs = comparableSinceUs(retention, { untilUs: course.onsetUs + MOST_SPAN_US, environment }, nowUs / 1_000)
  const { before, after, usual } = windowsOf(course, nowUs, oldestUs)
  if (after === null || kinds.length === 0) return null
  const isLong = ({ deploy }: Candidate) => course.onsetUs - deploy.deployedAtUs > TOLD_BY_TIME_US
  return {
    ...subject,
    before,
    after,
    usual,
    gaps: candidates.map((one) =>
      isLong(one) ? kept({ fromUs: one.deploy.deployedAtUs, toUs: course.onsetUs }, oldestUs) : null,
    ),
    afterEnd: course.isOver && ended === null ? kept(afterEndOf(course, nowUs), oldestUs) : null,
    isLong: candidates.some(isLong),
  }
}

export async function readCounts(ask: BatchedQuestions, looked: Looked, question: Question) {
  const { analysis, kinds, course, before, after, usual, gaps, afterEnd } = looked
  const { environment } = analysis
  // About how many there are: whole minutes, which the table counts itself. A range that ends with the onset ends before its minute.
  const records = (range: TimeRange | null) =>
    range === null ? 0 : ask.records({ range: toMinutesBefore(range), environment })
  const [rates, everywhere, errorReleases, inBefore, inUsual, inAfter, inAfterEnd, inGaps, fresh] = await Promise.all([
    ratesOf(ask, looked, question),
    ask.errors({ range: after, kinds, environment: null, by: 'environment' }),
    ask.errors({ range: after, kinds, environment, by: 'release' }),
    records(before),
    records(usual),
    records(after),
    records(afterEnd),
    Promise.all(gaps.map(records)),
    ask.starts(startSpan(analysis, course.onsetUs - FRESH_START_US, course.onsetUs + START_TOLERANCE_US)),
  ])
  const part = (range: TimeRange | null, inRange: number) => range && sampled(range, inRange, MAX_PROFILED)
  const ownErrors = everywhere.find(({ value }) => value === environment)?.count ?? 0
  const counts = { rates, everywhere, ownErrors, errorReleases, inBefore, inAfter, inAfterEnd, inGaps, fresh }
  return {
    ...looked,
    ...counts,
    lookedAfter: sampled(after, inAfter, MAX_PROFILED),
    lookedBefore: inBefore < ENOUGH_BEFORE ? part(usual, inUsual) : part(before, inBefore),
    lookedErrors: sampled(after, ownErrors, MAX_ERRORS_PROFILED),
  }
}

export async function readOwnProfiles(ask: BatchedQuestions, counted: Counted) {
  const { analysis, course, ownErrors, isLong, fresh, lookedAfter, lookedBefore, lookedErrors } = counted
  // Few errors right after a deploy have nothing in common that could be told from chance.
  const isTelling = ownErrors >= LEAST_PROFILED || isLong
  const profile = (part: Sampled | null, of: ProfilePlace['of']) =>
    part === null || !isTelling ? NOTHING : ask.profile(profilePlace(counted, part, of))
  const [errors, others, earlier, starts] = await Promise.all([
    profile(lookedErrors, 'errors'),
    profile(lookedAfter, 'others'),
    profile(lookedBefore, 'others'),
    fresh.length === 0
      ? []
      : ask.starts(startSpan(analysis, course.onsetUs - EARLIER_STARTS_US, course.onsetUs - FRESH_START_US)),
  ])
  return { ...counted, errors, others, earlier, starts, operation: operationOf(errors, [others, earlier]) }
}

/** Only the most frequent values of the others are listed: of a rare one it is counted how often they have it. */
export async function readStandouts(ask: BatchedQuestions, profiled: Profiled) {
  const { errors, others, earlier, lookedAfter, lookedBefore } = profiled
  // Failing requests leave other records too, so what went before says best what is usual.
  const parts = lookedBefore === null ? [lookedAfter] : [lookedAfter, lookedBefore]
  const counted = await Promise.all(
    standoutsOf(errors, combined(others, earlier)).map(async (one) => {
      if (one.others > 0) return one
      const counts = await Promise.all(parts.map((part) => ask.values(valuePlace(profiled, part, one))))
      return { ...one, others: counts.reduce((sum, count) => sum + count, 0) }
    }),
  )
  return { ...profiled, parts, standouts: counted.filter(isOverRepresented) }
}

/** How often what fails ran well: between each candidate and the onset, since the onset, and after the end. */
export async function readOpportunities(ask: BatchedQuestions, compared: Compared) {
  const { analysis, operation, standouts, after, afterEnd, gaps } = compared
  // What ran since the onset only says how much of the rest would have failed.
  const isAsked = afterEnd !== null || gaps.some((gap) => gap !== null)
  const counted = isAsked ? whatRan(analysis, operation, standouts) : []
  const well = async (range: TimeRange | null, inRange: number) => {
    if (range === null || counted.length === 0) return null
    const part = sampled(range, inRange, MAX_COUNTED)
    const counts = await Promise.all(counted.map((one) => ask.values(valuePlace(compared, part, one))))
    return { records: Math.round(Math.min(...counts) / part.share), isSampled: part.share < 1 }
  }
  const [opportunities, wellSinceOnset, wellAfterEnd] = await Promise.all([
    Promise.all(gaps.map((gap, at) => well(gap, compared.inGaps[at] ?? 0))),
    well(after, compared.inAfter),
    well(afterEnd, compared.inAfterEnd),
  ])
  return { ...compared, opportunities, wellSinceOnset, wellAfterEnd }
}

async function ratesOf(
  ask: BatchedQuestions,
  { analysis, kinds, startedUs }: RecordSubject,
  { nowUs, retention }: Question,
): Promise<Rates | null> {
  if (startedUs === null) return null
  const { environment } = analysis
  const oldestUs = comparableSinceUs(retention, { untilUs: startedUs + MOST_SPAN_US, environment }, nowUs / 1_000)
  const spans = rateSpans(startedUs, nowUs, oldestUs)
  if (spans === null) return null
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
 * for that one. Of several the rarest bounds how often all of it came at once.
 */
function whatRan({ service }: Analysis, operation: Operation | null, standouts: readonly StandoutFound[]): Operation[] {
  const only = standouts.filter(
    ({ role, errors, errorsWithField }) => role === 'data' && errors >= ONLY_ONE * errorsWithField,
  )
  const ran: Operation[] = [...(operation === null ? [] : [operation]), ...only]
  if (ran.length > 0 || service === '') return ran
  return [{ field: { kind: 'core', name: 'service' }, value: service }]
}
