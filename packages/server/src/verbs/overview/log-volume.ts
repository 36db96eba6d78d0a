/** How many records of which level and service there are in a window and in the one before. */

import { AT_LEAST_ERROR, isErrorLevel, LEVELS } from '@tidemark/wire/level'
import type { Query } from '@tidemark/wire/query/ast'
import { fieldNamed } from '@tidemark/wire/query/fields'
import type { OverviewAnswer, OverviewService } from '@tidemark/wire/reading/overview'
import type { Warning } from '@tidemark/wire/reading/question'
import { TREND_SLICES } from '@tidemark/wire/time/bucket-length'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Groups } from '../../logstore/questions.ts'
import { formatRfc3339 } from '../../model/rfc3339.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { bucketLengthUs, bucketStarts, countPerBucket } from '../reading/counts/count-logs-bucket.ts'
import { logFilter } from '../reading/log-filter.ts'
import { narrowed } from '../reading/narrowing.ts'

/** Pairs of service and level; all there are, but for projects that name services by the request. */
const MAX_PAIRS = 2_000
const MAX_SERVICES = 20
const [LEVEL, SERVICE] = [fieldNamed('level'), fieldNamed('service')]
const ERRORS = logFilter({ level: AT_LEAST_ERROR }).query

type LogVolume = Pick<
  OverviewAnswer,
  'records' | 'baseRecords' | 'levels' | 'services' | 'trendFrom' | 'trendSeconds' | 'warnings'
>

export async function logVolumeOf(
  logs: Pick<ProjectLogs, 'groups' | 'series'>,
  {
    range,
    base,
    filter,
    signal,
  }: { range: TimeRange; base: TimeRange; filter: Query; signal: AbortSignal | undefined },
): Promise<LogVolume> {
  const bucketUs = bucketLengthUs(String(TREND_SLICES), range)
  const pairs = { fields: [SERVICE, LEVEL], limit: MAX_PAIRS }
  const errors = { root: narrowed(filter, { terms: [ERRORS.root!] }).root }
  const [now, before, trends] = await Promise.all([
    logs.groups({ range, filter, signal }, pairs),
    logs.groups({ range: base, filter, signal }, pairs),
    logs.series({ range, filter: errors, signal }, { bucketUs, field: SERVICE, limit: MAX_SERVICES }),
  ])
  const trendOf = (buckets: (typeof trends.largest)[number]['buckets']) => countPerBucket(range, bucketUs, buckets)
  const found = new Map(trends.largest.map(({ value, buckets }) => [value ?? '', trendOf(buckets)]))
  const quiet = trendOf([])
  const services = servicesOf(now, before).slice(0, MAX_SERVICES)
  return {
    records: now.total,
    baseRecords: before.total,
    levels: levelsOf(now, before),
    services: services.map((one) => ({ ...one, trend: found.get(one.service) ?? quiet })),
    trendFrom: formatRfc3339(bucketStarts(range, bucketUs).firstUs),
    trendSeconds: bucketUs / 1e6,
    warnings: tooMany(now, before),
  }
}

function levelsOf(now: Groups, before: Groups): LogVolume['levels'] {
  const [counts, baseCounts] = [now, before].map((groups) => sums(groups, 1)) as [Sums, Sums]
  return LEVELS.toReversed()
    .map((level) => ({ level, count: counts.get(level) ?? 0, baseCount: baseCounts.get(level) ?? 0 }))
    .filter(({ count, baseCount }) => count + baseCount > 0)
}

function servicesOf(now: Groups, before: Groups): Omit<OverviewService, 'trend'>[] {
  const [records, baseRecords] = [now, before].map((groups) => sums(groups, 0)) as [Sums, Sums]
  const [errors, baseErrors] = [now, before].map((groups) => sums(onlyErrors(groups), 0)) as [Sums, Sums]
  return [...new Set([...records.keys(), ...baseRecords.keys()])]
    .map((service) => ({
      service,
      records: records.get(service) ?? 0,
      errors: errors.get(service) ?? 0,
      baseRecords: baseRecords.get(service) ?? 0,
      baseErrors: baseErrors.get(service) ?? 0,
    }))
    .sort((a, b) => b.errors - a.errors || b.records - a.records || (a.service < b.service ? -1 : 1))
}

type Sums = Map<string, number>

/** `at`: the place of the value in its group. */
function sums({ largest }: Pick<Groups, 'largest'>, at: number): Sums {
  const found: Sums = new Map()
  for (const { values, count } of largest) found.set(values[at] ?? '', (found.get(values[at] ?? '') ?? 0) + count)
  return found
}

function onlyErrors({ largest }: Groups): Pick<Groups, 'largest'> {
  return { largest: largest.filter(({ values }) => isErrorLevel(values[1] ?? '')) }
}

function tooMany(now: Groups, before: Groups): Warning[] {
  if (Math.max(now.groups, before.groups) <= MAX_PAIRS) return []
  return [{ message: 'There are very many services: levels and services are counted over the most frequent of them.' }]
}
