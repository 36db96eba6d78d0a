/** How many records there are, or what is measured of them: in all, over time and by the values of up to three fields. */

import { MAX_LIMIT } from '@tidemark/wire/limits'
import { NOWHERE, type Query } from '@tidemark/wire/query/ast'
import { type Field, fieldNamed } from '@tidemark/wire/query/fields'
import type { CountAnswer, CountInput } from '@tidemark/wire/reading/count'
import { DEFAULT_LIMIT, type Warning } from '@tidemark/wire/reading/question'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { Groups, Selection, Series } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { formatRfc3339 } from '../../../model/rfc3339.ts'
import type { TimeRange } from '../../../model/time-range.ts'
import { requireReader } from '../../access.ts'
import { comparisonWarnings } from '../comparison-warnings.ts'
import { toDeployRow } from '../deploy-view.ts'
import { logFilter, unknownFields } from '../log-filter.ts'
import { deploysBehind } from '../logs/list-logs-deploys.ts'
import { narrowed } from '../narrowing.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { whyEmpty } from '../why-empty.ts'
import { rangeBefore, resolveWindow, usedWindow, windowParts } from '../window.ts'
import { bucketLengthUs, bucketStarts } from './count-logs-bucket.ts'
import { fieldMeasure, measureRecords } from './count-logs-measure.ts'
import { countPatterns, isPattern } from './count-logs-patterns.ts'

/** Values of the first group that are told apart in the buckets: the most frequent ones. `count` is of all records. */
const MAX_SPLIT = 20

export async function countLogs(
  { control, logStore, patternTexts, publicUrl, now }: ReadingParts,
  caller: Caller,
  input: CountInput,
  signal?: AbortSignal,
): Promise<CountAnswer> {
  const project = requireReader(caller)
  const { query, environments, warnings } = logFilter(input)
  const window = await resolveWindow(input, windowParts({ control, now }, project))
  const range = { fromUs: window.fromUs, toUs: window.toUs }
  const bucketUs = input.bucket === undefined ? null : bucketLengthUs(input.bucket, range)
  const fields = (input.groupBy ?? []).map(fieldNamed)
  const measure = fieldMeasure(input)
  const logs = logStore.project(project.id)
  const selection: Selection = { range, filter: query, signal }

  const before = rangeBefore(range)
  const compared = { range, base: before, environment: input.environment ?? null }
  const counting = { fields, bucketUs, limit: input.limit ?? DEFAULT_LIMIT }
  const [{ notes, ...counts }, { rows: deploys }, previousTotal, unknown] = await Promise.all([
    count(),
    deploysBehind(control.deploys, { projectId: project.id, range, environments, order: 'newest', limit: MAX_LIMIT }),
    input.compare === 'previous' ? logs.total({ ...selection, range: before }) : null,
    unknownFields(logs, { query: withFields(query, measure ? [...fields, measure.field] : fields), range, signal }),
  ])
  return {
    window: usedWindow(range),
    ...counts,
    bucketSeconds: bucketUs === null ? null : bucketUs / 1e6,
    deploys: deploys.map(toDeployRow),
    previous: previousTotal === null ? null : { window: usedWindow(before), total: previousTotal },
    warnings: [
      ...window.warnings,
      ...(previousTotal === null ? [] : comparisonWarnings(project, compared, now())),
      ...warnings,
      ...notes,
      ...unknown,
    ],
    empty: counts.total === 0 ? await whyEmpty(logs, { range, query, environments, publicUrl, signal }) : null,
  }

  async function count(): Promise<Counts> {
    if (measure !== null) {
      const found = await measureRecords(logs, selection, { ...counting, measure })
      return { ...found, notes: noNumbers(found, input) }
    }
    if (!fields.some(isPattern)) return countRecords(logs, selection, counting)
    return countByPattern({ logs, project: project.id, patternTexts }, selection, counting)
  }
}

function noNumbers({ total, measured }: Pick<Counts, 'total' | 'measured'>, { of, measure }: CountInput): Warning[] {
  if (total === 0 || measured !== null) return []
  return [{ message: `None of the records has a number in ${of}, so there is no ${measure}. Measure another field.` }]
}

type Counting = { fields: readonly Field[]; bucketUs: number | null; limit: number }
type Counts = Pick<CountAnswer, 'buckets' | 'groups' | 'otherGroups' | 'total' | 'measured'> & { notes: Warning[] }

/** As few reads as the question allows: one, or two when several fields are grouped over time. */
async function countRecords(
  logs: ProjectLogs,
  selection: Selection,
  { fields, bucketUs, limit }: Counting,
): Promise<Counts> {
  const [first] = fields
  if (bucketUs === null) {
    if (first === undefined)
      return { buckets: [], groups: [], otherGroups: 0, total: await logs.total(selection), notes: [] }
    return { buckets: [], ...grouped(await logs.groups(selection, { fields, limit })) }
  }
  if (first === undefined) {
    const points = (await logs.buckets(selection, { bucketUs })).map((point) => ({ ...point, key: null }))
    const total = points.reduce((sum, { count }) => sum + count, 0)
    return { buckets: inBuckets(selection.range, bucketUs, points), groups: [], otherGroups: 0, total, notes: [] }
  }
  const isWhole = fields.length === 1
  const [series, groups] = await Promise.all([
    countSeries(logs, selection, { field: first, bucketUs, limit: isWhole ? limit : 0 }),
    isWhole ? null : logs.groups(selection, { fields, limit }),
  ])
  const largest = series.largest.slice(0, limit).map(({ value, count }) => ({ values: [value], count }))
  return {
    buckets: series.buckets,
    ...grouped(groups ?? { largest, groups: series.groups, total: series.total }),
  }
}

async function countSeries(
  logs: ProjectLogs,
  selection: Selection,
  { field, bucketUs, limit }: { field: Field; bucketUs: number; limit: number },
): Promise<Series & Pick<CountAnswer, 'buckets'>> {
  const series = await logs.series(selection, { bucketUs, field, limit: Math.max(MAX_SPLIT, limit) })
  const points = series.largest.flatMap(({ value, buckets }, at) =>
    buckets.map((point) => ({ ...point, key: at < MAX_SPLIT ? (value ?? '') : null })),
  )
  points.push(...series.others.map((point) => ({ ...point, key: null })))
  return { ...series, buckets: inBuckets(selection.range, bucketUs, points) }
}

async function countByPattern(
  parts: Parameters<typeof countPatterns>[0],
  selection: Selection,
  counting: Counting,
): Promise<Counts> {
  const { fields, bucketUs } = counting
  const [first] = fields
  const isSplitByOther = first !== undefined && bucketUs !== null && !isPattern(first)
  const [{ series, warnings: notes, ...counts }, other] = await Promise.all([
    countPatterns(parts, selection, counting),
    isSplitByOther ? countSeries(parts.logs, selection, { field: first, bucketUs, limit: 0 }) : null,
  ])
  if (bucketUs === null) return { ...counts, buckets: [], notes }
  const points = series.flatMap(({ text, buckets }, at) =>
    buckets.map((point) => ({ ...point, key: at < MAX_SPLIT ? text : null })),
  )
  return { ...counts, buckets: other?.buckets ?? inBuckets(selection.range, bucketUs, points), notes }
}

function grouped({ largest, groups, total }: Groups): Omit<Counts, 'buckets'> {
  return { groups: largest, otherGroups: groups - largest.length, total, notes: [] }
}

/** Every bucket of the range, in order. A point without a key counts, and is not told apart. */
function inBuckets(
  range: TimeRange,
  bucketUs: number,
  points: readonly { startUs: number; count: number; key: string | null }[],
): CountAnswer['buckets'] {
  const { firstUs, count } = bucketStarts(range, bucketUs)
  const buckets = Array.from({ length: count }, (_, index) => ({
    timestamp: formatRfc3339(firstUs + index * bucketUs),
    count: 0,
    by: new Map<string, number>(),
  }))
  for (const { startUs, count: records, key } of points) {
    const bucket = buckets[(startUs - firstUs) / bucketUs]
    if (bucket === undefined) continue
    bucket.count += records
    if (key !== null) bucket.by.set(key, (bucket.by.get(key) ?? 0) + records)
  }
  return buckets.map((bucket) => ({ ...bucket, by: Object.fromEntries(bucket.by) }))
}

/** A field that is grouped by can be misspelt as well as one in the query. */
function withFields(query: Query, fields: readonly Field[]): Query {
  return narrowed(query, { terms: fields.map((field) => ({ kind: 'has', field, span: NOWHERE })) })
}
