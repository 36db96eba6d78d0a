/**
 * How often each of many analyses occurred inside a window, in equal parts: one read of the errors of an environment,
 * told apart by fingerprint. What a rule splits by another field, and the overflow group, have no trend in a list.
 */

import type { Retention } from '@tidemark/wire/retention'
import { TREND_SLICES } from '@tidemark/wire/time/bucket-length'
import { splitFieldOf } from '../../analysis/group/group-of-record.ts'
import { errorsOf, groupsOf } from '../../analysis/group/records-query.ts'
import { atMost } from '../../at-most.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Series } from '../../logstore/questions.ts'
import { type Analysis, OVERFLOW_FINGERPRINT } from '../../model/analysis.ts'
import type { RuleEffect } from '../../model/grouping-rule.ts'
import { errorsKeptSinceUs, kept } from '../../model/retention.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { unlessAway } from '../causes/unless-away.ts'
import { bucketLengthUs, countPerBucket } from '../reading/counts/count-logs-bucket.ts'

/** More kinds of errors than this in one environment and window: the rarest have no trend. */
const MAX_KINDS = 10_000
/** Those with the most analyses; a list over more environments shows no trend for the others. */
const MAX_TREND_ENVIRONMENTS = 8
const TRENDS_AT_ONCE = 2

type TrendQuestion = {
  range: TimeRange
  rules: readonly RuleEffect[]
  retention: Retention
  nowUs: number
  signal?: AbortSignal | undefined
}

/** By id. An analysis without a trend is left out; all are when the log store is down. */
export async function trendsOf(
  logs: Pick<ProjectLogs, 'series'>,
  analyses: readonly Analysis[],
  { range, rules, retention, nowUs, signal }: TrendQuestion,
): Promise<Map<string, number[]>> {
  const trends = new Map<string, number[]>()
  const bucketUs = bucketLengthUs(String(TREND_SLICES), range)
  const ask = atMost(TRENDS_AT_ONCE)
  const places = largestFirst(analyses.filter((analysis) => hasTrend(analysis, rules)))
  await Promise.all(
    places.slice(0, MAX_TREND_ENVIRONMENTS).map(async ([environment, inside]) => {
      const counted = kept(range, errorsKeptSinceUs(retention, environment, nowUs / 1_000))
      if (counted === null) return
      const selection = { range: counted, filter: errorsOf(environment), signal }
      const question = { bucketUs, field: FINGERPRINT, limit: MAX_KINDS }
      const series = await unlessAway(
        ask(() => logs.series(selection, question)),
        signal,
      )
      if (series === null) return
      for (const analysis of inside) trends.set(analysis.id, trendOf(analysis, series))
    }),
  )
  return trends

  function trendOf(analysis: Analysis, { largest }: Series): number[] {
    const kinds = new Set(groupsOf(analysis, rules).map(({ fingerprint }) => fingerprint))
    const own = largest.filter(({ value }) => value !== null && kinds.has(value))
    return countPerBucket(
      range,
      bucketUs,
      own.flatMap(({ buckets }) => buckets),
    )
  }
}

const FINGERPRINT = { kind: 'core', name: 'fingerprint' } as const

function hasTrend(analysis: Analysis, rules: readonly RuleEffect[]): boolean {
  const groups = groupsOf(analysis, rules)
  return groups.every(
    ({ fingerprint }) => fingerprint !== OVERFLOW_FINGERPRINT && splitFieldOf(fingerprint, rules) === null,
  )
}

function largestFirst(analyses: readonly Analysis[]): [string, Analysis[]][] {
  const places = new Map<string, Analysis[]>()
  for (const analysis of analyses) {
    const inside = places.get(analysis.environment)
    if (inside === undefined) places.set(analysis.environment, [analysis])
    else inside.push(analysis)
  }
  return [...places].sort(([, a], [, b]) => b.length - a.length)
}
