/** Settings that changed, by what services log when they start and by fields of their ordinary records. */
import type { Expression } from '@tidemark/wire/query/ast'
import { MINUTE_US } from '@tidemark/wire/time/units'
import { changedAtStart, changedInRecords, toldChanges } from '../../analysis/cause/configuration-changes.ts'
import type { Change } from '../../analysis/change/change.ts'
import { type SettingFound, settingChanges } from '../../analysis/change/setting-changes.ts'
import type { ServiceStream } from '../../analysis/change/stream-changes.ts'
import { equals, fieldEquals } from '../../analysis/field-query.ts'
import type { Slice } from '../../analysis/slices.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { EARLIER_STARTS_US, START_TOLERANCE_US, sampled } from '../causes/onset-windows.ts'
import type { AskedRecords } from './record-question.ts'

/** Whose starts and settings are looked at: those with most records. */
const MAX_TOLD_SERVICES = 20
const MAX_PROFILED_SERVICES = 12
const MAX_PROFILED = 2_000
/** Of those seen in ordinary records, whose first record is looked for. */
const MAX_DATED = 3
/** Before the moment, so that what was set by then shows in the records. */
const SETTLED_US = 10 * MINUTE_US

/** Starts of the window and before it are one statement, fields of ordinary records another. */
export async function changedSettings(asked: AskedRecords, streams: readonly ServiceStream[]): Promise<Change[]> {
  const largest = streams.toSorted((one, other) => total(other.records) - total(one.records))
  const [told, seen] = await Promise.all([
    toldAtStarts(asked, largest.slice(0, MAX_TOLD_SERVICES)),
    seenInRecords(asked, largest.slice(0, MAX_PROFILED_SERVICES)),
  ])
  const isTold = ({ stream: { environment, service }, change: { name } }: Undated) =>
    told.some((one) => one.service === service && one.environment === environment && one.name === name)
  const undated = seen.filter((one) => !isTold(one)).slice(0, MAX_DATED)
  const dated = await Promise.all(undated.map((one) => datedIn(asked, one)))
  return settingChanges([...told, ...dated.filter((one) => one !== null)], asked.deploys)
}

async function toldAtStarts(
  { logs, window: { fromUs, atUs }, signal }: AskedRecords,
  streams: readonly ServiceStream[],
): Promise<SettingFound[]> {
  if (streams.length === 0) return []
  const spans = streams.flatMap(({ environment, service }) => [
    { environment, service, range: { fromUs, toUs: atUs + START_TOLERANCE_US } },
    { environment, service, range: { fromUs: Math.max(0, fromUs - EARLIER_STARTS_US), toUs: fromUs } },
  ])
  const starts = await logs.startRecords(spans, signal)
  return streams.flatMap(({ environment, service }, at) => {
    const [fresh = [], earlier = []] = [starts[2 * at], starts[2 * at + 1]]
    const said = toldChanges(fresh)
    // The fields of a record that says what changed hold the same once more, under names of its own.
    const seen = fresh.length === 0 ? [] : changedAtStart(fresh, earlier)
    const changes = [...said, ...seen.filter(({ atUs: seenUs }) => !said.some((one) => one.atUs === seenUs))]
    return changes.map((one) => ({ ...one, environment, service, atUs: one.atUs ?? atUs, isTold: true }))
  })
}

type Undated = { stream: ServiceStream; change: { name: string; from: string; to: string } }

async function seenInRecords(
  { logs, range, window: { fromUs, atUs, base }, signal }: AskedRecords,
  streams: readonly ServiceStream[],
): Promise<Undated[]> {
  if (base === null || streams.length === 0) return []
  const since = { fromUs: Math.max(fromUs, atUs - SETTLED_US), toUs: range.toUs }
  const places = streams.flatMap(({ environment, service, records }) =>
    [base, since].map((part) => {
      const { ranges } = sampled(part, total(records, part), MAX_PROFILED)
      return { ranges, environment, service, kinds: [], of: 'others' as const }
    }),
  )
  const profiles = await logs.profiles(places, signal)
  return streams.flatMap((stream, at) => {
    const [before, after] = [profiles[2 * at], profiles[2 * at + 1]]
    const changes = before === undefined || after === undefined ? [] : changedInRecords(before, after)
    return changes.map((change) => ({ stream, change }))
  })
}

/** When a value was first seen. Null when that was after the moment. */
async function datedIn(
  { logs, range, window, signal }: AskedRecords,
  { stream: { environment, service }, change }: Undated,
): Promise<SettingFound | null> {
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

function total(
  slices: readonly Slice[],
  { fromUs, toUs }: TimeRange = { fromUs: 0, toUs: Number.POSITIVE_INFINITY },
): number {
  return slices.filter((slice) => slice.toUs > fromUs && slice.fromUs < toUs).reduce((sum, { count }) => sum + count, 0)
}
