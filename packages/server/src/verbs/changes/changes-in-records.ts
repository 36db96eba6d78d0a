/**
 * What the records themselves say to have changed. Four questions that do not need each other, each of a few statements; one
 * that cannot be answered does not take the others down.
 */
import type { Expression, Field } from '@tidemark/wire/query/ast'
import { HOUR_US, MINUTE_US } from '@tidemark/wire/time/units'
import { changedAtStart, changedInRecords, toldChanges } from '../../analysis/cause/configuration-changes.ts'
import type { Change } from '../../analysis/change/change.ts'
import { patternChanges } from '../../analysis/change/pattern-changes.ts'
import {
  type SettingFound,
  settingChanges,
  versionChanges,
  withoutRollOuts,
} from '../../analysis/change/setting-changes.ts'
import { hostChanges, type ServiceStream, serviceChanges } from '../../analysis/change/stream-changes.ts'
import { differencesOf } from '../../analysis/compare/differences.ts'
import { equals, fieldEquals } from '../../analysis/field-query.ts'
import { patternSearches } from '../../analysis/pattern/pattern-query.ts'
import type { Slice } from '../../analysis/slices.ts'
import type { ProjectLogs, Series } from '../../logstore/log-store.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { ProjectId } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { EARLIER_STARTS_US, START_TOLERANCE_US, sampled } from '../causes/windows.ts'
import { secondsOf } from '../reading/compared-spans.ts'
import { mergedPatterns, talliedPatterns } from '../reading/patterns/merged-patterns.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { type ChangeWindow, cut, slicesOf, stepOf } from './change-window.ts'

const MAX_ENVIRONMENTS = 5
/** Whose starts and settings are looked at: those with most records. */
const MAX_TOLD_SERVICES = 20
const MAX_PROFILED_SERVICES = 12
const MAX_PROFILED = 2_000
/** Of those seen in ordinary records, whose first record is looked for. */
const MAX_DATED = 3
const MAX_HOSTS = 100
const MAX_RELEASES = 30
const BUCKET_US = 5 * MINUTE_US
const MAX_BUCKETS = 200
const MAX_PATTERN_SLICES = 288
const SETTLED_US = 10 * MINUTE_US

export type RecordQuestion = {
  window: ChangeWindow
  environment: string | null
  deploys: readonly Deploy[]
  signal: AbortSignal | undefined
}

type Parts = Pick<ReadingParts, 'logStore' | 'patternTexts' | 'now'>
type Looked = { logs: ProjectLogs; range: TimeRange; filter: { root: Expression | null } } & RecordQuestion

export type RecordsSaid = {
  changes: Change[]
  /** Those that have records in the window, most first. */
  environments: string[]
  /** Some of the questions were not answered. */
  isIncomplete: boolean
  /** Environments that were not looked at one by one. */
  leftOut: number
}

export async function changesInRecords(
  parts: Parts,
  projectId: ProjectId,
  question: RecordQuestion,
): Promise<RecordsSaid> {
  const { window, environment, signal } = question
  const { records: range, base } = window
  const none = { changes: [], environments: environment === null ? [] : [environment], leftOut: 0 }
  if (range === null) return { ...none, isIncomplete: false }
  const logs = parts.logStore.project(projectId)
  const filter = { root: environment === null ? null : equals('environment', environment) }
  const looked: Looked = { ...question, logs, range, filter }
  const places = await unlessAway(placesIn(looked), signal)
  if (places === null) return { ...none, isIncomplete: true }
  const { known, streams } = places
  const isNamed = environment === null && known.length > 1
  // Without anything to compare with, everything would be new.
  const asked =
    base === null
      ? []
      : [settingsIn(looked, streams), patternsIn(parts, projectId, { ...looked, base }), seriesIn(looked)]
  const found = await Promise.all(asked.map((one) => unlessAway(one, signal)))
  const own = base === null ? [] : serviceChanges(streams, window, isNamed)
  const told = [...own, ...found.flatMap((one) => one ?? [])]
  return {
    changes: told.filter((change) => hadSomethingBefore(change, streams)),
    environments: known,
    isIncomplete: found.includes(null),
    leftOut: Math.max(0, known.length - MAX_ENVIRONMENTS),
  }
}

const BY_ABSENCE: readonly Change['kind'][] = ['service', 'host', 'version', 'errors']

/** In the first hour that anything is logged at all, everything appears. */
function hadSomethingBefore({ kind, atUs }: Change, streams: readonly ServiceStream[]): boolean {
  if (!BY_ABSENCE.includes(kind)) return true
  const firsts = streams.flatMap(({ records }) => records.find(({ count }) => count > 0)?.fromUs ?? [])
  return atUs >= Math.min(...firsts) + HOUR_US
}

async function placesIn(looked: Looked): Promise<{ known: string[]; streams: ServiceStream[] }> {
  const known = await environmentsIn(looked)
  return { known, streams: await streamsIn(looked, known.slice(0, MAX_ENVIRONMENTS)) }
}

async function environmentsIn({ logs, range, filter, environment, signal }: Looked): Promise<string[]> {
  if (environment !== null) return [environment]
  const field: Field = { kind: 'core', name: 'environment' }
  const { largest } = await logs.groups({ range, filter, signal }, { fields: [field], limit: 100 })
  return largest.map(({ values: [name] }) => name ?? '')
}

/** One statement for all services of all environments. */
async function streamsIn({ logs, window, signal }: Looked, environments: readonly string[]): Promise<ServiceStream[]> {
  const slices = slicesOf(window)
  const spans = environments.flatMap((environment) => slices.map((range) => ({ range, environment })))
  const found = await logs.serviceSpans(spans, signal)
  return environments.flatMap((environment, nth) => {
    const own = found.slice(nth * slices.length, (nth + 1) * slices.length)
    const services = new Set(own.flatMap((span) => span.services.map(({ service }) => service)))
    const byService = own.map((span) => new Map(span.services.map((one) => [one.service, one])))
    const of = (service: string, what: 'records' | 'errors'): Slice[] =>
      slices.map((range, at) => ({ ...range, count: byService[at]?.get(service)?.[what] ?? 0 }))
    return [...services].map((service) => ({
      environment,
      service,
      records: of(service, 'records'),
      errors: of(service, 'errors'),
    }))
  })
}

/** Starts of the window and before it are one statement, fields of ordinary records another. */
async function settingsIn(looked: Looked, streams: readonly ServiceStream[]): Promise<Change[]> {
  const { logs, window, deploys, signal } = looked
  const { fromUs, atUs, base } = window
  const largest = streams.toSorted((one, other) => total(other.records) - total(one.records))
  const told = largest.slice(0, MAX_TOLD_SERVICES)
  const profiled = largest.slice(0, MAX_PROFILED_SERVICES)
  const since = { fromUs: Math.max(fromUs, atUs - SETTLED_US), toUs: looked.range.toUs }
  const [starts, profiles] = await Promise.all([
    told.length === 0
      ? []
      : logs.startRecords(
          told.flatMap(({ environment, service }) => [
            { environment, service, range: { fromUs, toUs: atUs + START_TOLERANCE_US } },
            { environment, service, range: { fromUs: Math.max(0, fromUs - EARLIER_STARTS_US), toUs: fromUs } },
          ]),
          signal,
        ),
    base === null || profiled.length === 0
      ? []
      : logs.profiles(
          profiled.flatMap(({ environment, service, records }) =>
            [base, since].map((range) => {
              const { ranges } = sampled(range, total(records, range), MAX_PROFILED)
              return { ranges, environment, service, kinds: [], of: 'others' as const }
            }),
          ),
          signal,
        ),
  ])
  const found = told.flatMap(({ environment, service }, at): SettingFound[] => {
    const [fresh = [], earlier = []] = [starts[2 * at], starts[2 * at + 1]]
    const said = toldChanges(fresh)
    // The fields of a record that says what changed hold the same once more, under names of its own.
    const seen = fresh.length === 0 ? [] : changedAtStart(fresh, earlier)
    const changes = [...said, ...seen.filter(({ atUs: seenUs }) => !said.some((one) => one.atUs === seenUs))]
    return changes.map((one) => ({ ...one, environment, service, atUs: one.atUs ?? atUs, isTold: true }))
  })
  const undated = profiled.flatMap((stream, at) => {
    const [before, after] = [profiles[2 * at], profiles[2 * at + 1]]
    const changes = before === undefined || after === undefined ? [] : changedInRecords(before, after)
    const isTold = ({ name }: { name: string }) =>
      found.some((one) => one.service === stream.service && one.environment === stream.environment && one.name === name)
    return changes.filter((one) => !isTold(one)).map((change) => ({ stream, change }))
  })
  const dated = await Promise.all(undated.slice(0, MAX_DATED).map((one) => datedIn(looked, one)))
  return settingChanges([...found, ...dated.filter((one) => one !== null)], deploys)
}

type Undated = { stream: ServiceStream; change: { name: string; from: string; to: string } }

/** When a value was first seen. Null when that was after the moment. */
async function datedIn(
  { logs, range, window, signal }: Looked,
  { stream, change }: Undated,
): Promise<SettingFound | null> {
  const { environment, service } = stream
  const parts = [
    equals('environment', environment),
    equals('service', service),
    fieldEquals({ kind: 'attribute', name: change.name }, change.to),
  ]
  const filter = { root: { kind: 'and', parts } as Expression }
  const { records } = await logs.search({ range, filter, order: 'oldest', limit: 1, signal })
  const [first] = records
  if (first === undefined || first.timeUs > window.atUs) return null
  return { ...change, environment, service, atUs: first.timeUs, isTold: false }
}

/** One statement, and one more for the texts of messages that were not seen lately. */
async function patternsIn(
  { patternTexts, now }: Parts,
  projectId: ProjectId,
  { logs, range, base, filter, window, signal }: Looked & { base: TimeRange },
): Promise<Change[]> {
  const lengthUs = stepOf(range, BUCKET_US, MAX_PATTERN_SLICES)
  const question = { base, slices: { startUs: range.fromUs, lengthUs } }
  const merged = await mergedPatterns({ logs, project: projectId, patternTexts }, { range, filter, signal }, question)
  if (merged.records === 0 || merged.baseRecords === 0) return []
  const nowUs = now() * 1_000
  const seconds = { seconds: secondsOf(range, nowUs), baseSeconds: secondsOf(base, nowUs) }
  const appeared = differencesOf(...talliedPatterns(merged, seconds)).filter(({ change }) => change === 'appeared')
  const searchOf = patternSearches({ root: null })
  const empty = Array.from({ length: Math.ceil((range.toUs - range.fromUs) / lengthUs) }, (_, at) => ({
    fromUs: range.fromUs + at * lengthUs,
    toUs: Math.min(range.toUs, range.fromUs + (at + 1) * lengthUs),
    count: 0,
  }))
  const streams = merged.patterns.map((pattern) => {
    const slices = empty.map((slice) => ({ ...slice }))
    for (const { at, count } of pattern.slices) if (slices[at] !== undefined) slices[at].count = count
    return {
      ...pattern,
      slices: [{ ...base, count: pattern.baseCount }, ...slices],
      query: searchOf(pattern.members)?.query ?? null,
    }
  })
  return patternChanges(streams, appeared, { ...window, baseUs: base.toUs - base.fromUs })
}

/** Hosts and releases over time: a statement each. */
async function seriesIn({ logs, range, filter, window, deploys, signal }: Looked): Promise<Change[]> {
  const whole = { fromUs: window.base?.fromUs ?? range.fromUs, toUs: range.toUs }
  const bucketUs = Math.ceil(stepOf(whole, BUCKET_US, MAX_BUCKETS) / BUCKET_US) * BUCKET_US
  const series = (name: 'host' | 'release', limit: number) =>
    logs.series({ range: whole, filter, signal }, { bucketUs, field: { kind: 'core', name }, limit })
  const [hosts, releases] = await Promise.all([series('host', MAX_HOSTS), series('release', MAX_RELEASES)])
  const buckets = cut(whole, bucketUs)
  const named = hosts.largest.filter(({ value }) => value !== null && value !== '')
  const ofHosts = named.map((one) => ({ host: one.value ?? '', slices: filled(buckets, bucketUs, one.buckets) }))
  const ofReleases = releases.largest.map((one) => ({
    release: one.value ?? '',
    slices: filled(buckets, bucketUs, one.buckets),
  }))
  return [...withoutRollOuts(hostChanges(ofHosts, window), deploys), ...versionChanges(ofReleases, deploys, window)]
}

function filled(buckets: readonly TimeRange[], bucketUs: number, points: Series['others']): Slice[] {
  const counts = new Map(points.map(({ startUs, count }) => [startUs, count]))
  return buckets.map((range) => ({ ...range, count: counts.get(Math.floor(range.fromUs / bucketUs) * bucketUs) ?? 0 }))
}

function total(
  slices: readonly Slice[],
  { fromUs, toUs }: TimeRange = { fromUs: 0, toUs: Number.POSITIVE_INFINITY },
): number {
  return slices.filter((slice) => slice.toUs > fromUs && slice.fromUs < toUs).reduce((sum, { count }) => sum + count, 0)
}
