/** The patterns of a query, counted over all its records, and what became of them since another window or a deploy. */

import type { Query } from '@tidemark/wire/query/ast'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import type { LogPattern, PatternState, PatternsAnswer, PatternsInput } from '@tidemark/wire/reading/patterns'
import { DEFAULT_LIMIT, type Warning } from '@tidemark/wire/reading/question'
import { counted } from '@tidemark/wire/text/counted'
import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import { TREND_SLICES } from '@tidemark/wire/time/bucket-length'
import { type PatternSearch, patternSearches } from '../../../analysis/pattern/pattern-query.ts'
import { AppError } from '../../../errors.ts'
import type { PatternSample } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import type { ProjectWithSettings } from '../../../model/project.ts'
import { formatRfc3339 } from '../../../model/rfc3339.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import { requireReader } from '../../access.ts'
import { comparedSpans, type Spans } from '../compared-spans.ts'
import { logFilter, unknownFields } from '../log-filter.ts'
import { narrowed } from '../narrowing.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { whyEmpty } from '../why-empty.ts'
import { resolveWindow, usedWindow, windowParts } from '../window.ts'
import {
  leftOut,
  MAX_SAMPLE_CHARACTERS,
  type MergedPatterns,
  mergedPatterns,
  type ReadPattern,
} from './merged-patterns.ts'
import { type RankedPattern, rankPatterns } from './rank-patterns.ts'

const MAX_PATTERN_CHARACTERS = 1_000
const COMPARED = { from: 'compareFrom', to: 'compareTo' }

export async function listLogPatterns(
  parts: ReadingParts,
  caller: Caller,
  input: PatternsInput,
  signal?: AbortSignal,
): Promise<PatternsAnswer> {
  const project = requireReader(caller)
  const { query, warnings } = logFilter(input)
  const { range, base, terms, environment, warnings: more } = await spansOf(parts, project, input)
  const filter = narrowed(query, { terms })
  const logs = parts.logStore.project(project.id)
  const { merged, ranked, patterns, lengthUs } = await rankedPatterns(parts, project, {
    ...{ range, base, filter, signal },
    search: logFilter({ ...input, environment: undefined }).query,
    shownOf: (ranked) => ranked.slice(0, input.limit ?? DEFAULT_LIMIT),
  })
  return {
    window: usedWindow(range),
    baseWindow: base && usedWindow(base),
    environment,
    records: merged.records,
    baseRecords: base && merged.baseRecords,
    trendSeconds: lengthUs / 1e6,
    patterns,
    otherPatterns: ranked.length - patterns.length,
    otherRecords: merged.records - patterns.reduce((sum, { count }) => sum + count, 0),
    warnings: [
      ...more,
      ...warnings,
      ...emptyBase(merged, base),
      ...leftOut(merged),
      ...cutSearches(patterns),
      ...(await unknownFields(logs, { query, range, signal })),
    ],
    empty:
      patterns.length > 0
        ? null
        : await whyEmpty(logs, {
            range,
            query: filter,
            environments: environmentOf(filter),
            publicUrl: parts.publicUrl,
            signal,
          }),
  }
}

/**
 * `search`: what the queries of the patterns start from, without the environment, which is given beside them.
 * `shownOf`: which of them are told in full.
 */
type PatternReading = {
  range: TimeRange
  base: TimeRange | null
  filter: Query
  search: Query
  shownOf: (ranked: readonly RankedPattern[]) => readonly RankedPattern[]
  signal: AbortSignal | undefined
}

export async function rankedPatterns(
  { logStore, patternTexts, now }: Pick<ReadingParts, 'logStore' | 'patternTexts' | 'now'>,
  { id }: Pick<ProjectWithSettings, 'id'>,
  { range, base, filter, search, shownOf, signal }: PatternReading,
) {
  const lengthUs = Math.max(1, Math.ceil((range.toUs - range.fromUs) / TREND_SLICES))
  const merged = await mergedPatterns(
    { logs: logStore.project(id), project: id, patternTexts },
    { range, filter, signal },
    { base: base ?? undefined, slices: { startUs: range.fromUs, lengthUs } },
  )
  const ranked = merged.records === 0 ? [] : rankPatterns(merged, { range, base, nowUs: now() * 1_000 })
  const shown = shownOf(ranked)
  const samples = await merged.samplesOf(shown.map(({ pattern }) => pattern))
  const searchOf = patternSearches(search)
  const patterns = shown.map(({ pattern, state }) =>
    toLogPattern(pattern, {
      state,
      records: merged.records,
      hasBase: base !== null,
      search: searchOf(pattern.members),
      sample: samples.get(pattern.id) ?? null,
    }),
  )
  return { merged, ranked, patterns, lengthUs }
}

type AskedSpans = Omit<Spans, 'base'> & { base: TimeRange | null }

async function spansOf(
  parts: ReadingParts,
  project: ProjectWithSettings,
  { compare, compareFrom: baseFrom, compareTo: baseTo, ...input }: PatternsInput,
): Promise<AskedSpans> {
  const isNamed = input.deployId !== undefined || baseFrom !== undefined || baseTo !== undefined
  if (compare !== undefined && isNamed) {
    const message = 'compare stands for the base: leave out compareFrom, compareTo and deployId, or leave it out.'
    throw new AppError('invalid_request', message, { fields: [{ path: 'compare', message }] })
  }
  if (isNamed || compare !== undefined) {
    return comparedSpans(parts, project, { ...input, baseFrom, baseTo }, COMPARED)
  }
  const { warnings, ...range } = await resolveWindow(input, windowParts(parts, project))
  return { range, base: null, terms: [], environment: input.environment ?? null, warnings }
}

type Told = {
  state: PatternState | null
  records: number
  hasBase: boolean
  search: PatternSearch | null
  sample: PatternSample | null
}

function toLogPattern(pattern: ReadPattern, { state, records, hasBase, search, sample }: Told): LogPattern {
  const { id, text, count, baseCount, firstUs, lastUs, slices, levels, services, members } = pattern
  const trend = Array.from({ length: TREND_SLICES }, () => 0)
  for (const slice of slices) trend[slice.at] = slice.count
  const found = members.slice(0, search?.members ?? 0)
  return {
    id,
    pattern: cutWithEllipsis(text, MAX_PATTERN_CHARACTERS),
    count,
    share: count / records,
    state,
    baseCount: hasBase ? baseCount : null,
    firstSeen: formatRfc3339(firstUs),
    lastSeen: formatRfc3339(lastUs),
    trend,
    levels,
    services,
    query: search?.query ?? null,
    queryCount: found.reduce((sum, one) => sum + (count > 0 ? one.count : one.baseCount), 0),
    sampleId: sample?.id ?? null,
    sample: sample && cutWithEllipsis(sample.message, MAX_SAMPLE_CHARACTERS),
  }
}

function emptyBase({ records, baseRecords }: MergedPatterns, base: TimeRange | null): Warning[] {
  if (base === null || records === 0 || baseRecords > 0) return []
  return [{ message: 'No record of the base matches, so nothing is said about what is new or grown.' }]
}

function cutSearches(patterns: readonly LogPattern[]): Warning[] {
  const cutOff = patterns.filter(({ count, baseCount, queryCount }) => queryCount < (count || (baseCount ?? 0)))
  if (cutOff.length === 0) return []
  const message = `A query can hold a limited number of terms, so that of ${counted(cutOff.length, 'pattern')} finds only its most frequent messages: queryCount says how many records.`
  return [{ message }]
}
