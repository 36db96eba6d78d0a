/** What is measured of the records, by group and over time: distinct values, or the numbers of a field. */
import { fieldNamed } from '@tidemark/wire/query/fields'
import type { CountAnswer, CountInput } from '@tidemark/wire/reading/count'
import { MAX_MEASURED_SPLIT } from '@tidemark/wire/reading/measure'
import { fieldError } from '../../../errors.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { FieldMeasure, MeasuredBucket, Selection } from '../../../logstore/questions.ts'
import { formatRfc3339 } from '../../../model/rfc3339.ts'
import { bucketStarts } from './count-logs-bucket.ts'
import { isPattern } from './count-logs-patterns.ts'

type Question = {
  fields: Parameters<ProjectLogs['measuredGroups']>[1]['fields']
  bucketUs: number | null
  limit: number
  measure: FieldMeasure
}
type Measured = Pick<CountAnswer, 'buckets' | 'groups' | 'otherGroups' | 'total' | 'measured'>
type Bucket = CountAnswer['buckets'][number]

/** Null for plain counts. */
export function fieldMeasure({ measure = 'count', of, groupBy = [] }: CountInput): FieldMeasure | null {
  if (measure === 'count') {
    if (of === undefined) return null
    throw fieldError('of', `of names the field of a measure: give one too, such as measure=p95, or leave of out.`)
  }
  if (of === undefined || of === '') {
    const example = measure === 'distinct' ? 'of=user.id' : 'of=duration'
    throw fieldError('of', `${measure} is measured of a field: name it, such as ${example}.`)
  }
  const field = fieldNamed(of)
  if (isPattern(field) || groupBy.map(fieldNamed).some(isPattern)) {
    throw fieldError(
      'measure',
      'Patterns can be counted, and nothing can be measured of them or by them: use measure=count.',
    )
  }
  return { kind: measure, field }
}

/** Three reads at most: all of it, the groups, and the buckets of the highest groups. */
export async function measureRecords(
  logs: ProjectLogs,
  selection: Selection,
  { fields, bucketUs, limit, measure }: Question,
): Promise<Measured> {
  const [first] = fields
  const [whole, found, ranked] = await Promise.all([
    logs.measuredGroups(selection, { fields: [], measure, limit: 1 }),
    first === undefined ? null : logs.measuredGroups(selection, { fields, measure, limit }),
    first === undefined || bucketUs === null || fields.length === 1
      ? null
      : logs.measuredGroups(selection, { fields: [first], measure, limit: MAX_MEASURED_SPLIT }),
  ])
  const shown = (ranked ?? found)?.highest.slice(0, MAX_MEASURED_SPLIT).map(({ values: [value] }) => value ?? '')
  const split = first && shown && { field: first, values: shown }
  const buckets = bucketUs === null ? [] : await logs.measuredBuckets(selection, { bucketUs, measure, split })
  return {
    total: whole.total,
    measured: whole.highest[0]?.measured ?? null,
    buckets: bucketUs === null ? [] : inBuckets(selection, bucketUs, buckets),
    groups: found?.highest ?? [],
    otherGroups: found === null ? 0 : found.groups - found.highest.length,
  }
}

/** Every bucket of the window, in order. */
function inBuckets({ range }: Selection, bucketUs: number, points: readonly MeasuredBucket[]): Bucket[] {
  const { firstUs, count } = bucketStarts(range, bucketUs)
  const by = Array.from({ length: count }, () => ({
    counts: new Map<string, number>(),
    measured: new Map<string, number>(),
  }))
  const buckets = Array.from(
    { length: count },
    (_, index): Bucket => ({ timestamp: formatRfc3339(firstUs + index * bucketUs), count: 0, by: {}, measured: null }),
  )
  for (const point of points) {
    const at = (point.startUs - firstUs) / bucketUs
    const bucket = buckets[at]
    if (bucket === undefined) continue
    if (point.of === 'all') Object.assign(bucket, { count: point.count, measured: point.measured })
    else if (point.of === 'others') bucket.measuredOthers = point.measured
    else {
      by[at]?.counts.set(point.value, point.count)
      if (point.measured !== null) by[at]?.measured.set(point.value, point.measured)
    }
  }
  // From entries, because a value may be called `__proto__`.
  return buckets.map((bucket, at) => ({
    ...bucket,
    by: Object.fromEntries(by[at]?.counts ?? []),
    measuredBy: Object.fromEntries(by[at]?.measured ?? []),
  }))
}
