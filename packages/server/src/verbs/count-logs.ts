/** How many records there are: in all, over time and by the values of up to three fields. */
import { allOf, type Field, type Query } from '@tidemark/wire/query/ast'
import { type CountAnswer, type CountInput, DEFAULT_LIMIT, MAX_LIMIT } from '@tidemark/wire/reading'
import type { ProjectLogs, Selection } from '../logstore/log-store.ts'
import type { Caller } from '../model/caller.ts'
import { formatRfc3339 } from '../model/rfc3339.ts'
import { bucketLengthUs, bucketStarts } from './count-logs-bucket.ts'
import { toDeployRow } from './deploy-row.ts'
import { fieldNamed, logFilter, unknownFields } from './log-filter.ts'
import type { ReadingParts } from './open-reading-parts.ts'
import { requireReader } from './require-reader.ts'
import { deploysBehind } from './search-logs-deploys.ts'
import { whyEmpty } from './why-empty.ts'
import { resolveWindow, usedWindow } from './window.ts'

/** Values of the first group that are told apart in the buckets: the most frequent ones. `count` is of all records. */
const MAX_SPLIT = 20

export async function countLogs(
  { control, logStore, publicUrl, now }: ReadingParts,
  caller: Caller,
  input: CountInput,
  signal?: AbortSignal,
): Promise<CountAnswer> {
  const project = requireReader(caller)
  const { query, environments, warnings } = logFilter(input)
  const window = await resolveWindow(input, { project, deploys: control.deploys, nowUs: now() * 1_000 })
  const range = { fromUs: window.fromUs, toUs: window.toUs }
  const bucketUs = input.bucket === undefined ? null : bucketLengthUs(input.bucket, range)
  const fields = (input.groupBy ?? []).map(fieldNamed)
  const logs = logStore.project(project.id)
  const selection: Selection = { range, filter: query, signal }

  const found =
    fields.length === 0 ? null : await logs.groups(selection, { fields, limit: input.limit ?? DEFAULT_LIMIT })
  const buckets = bucketUs === null ? [] : await countBuckets(logs, selection, bucketUs, fields[0])
  const total = found?.total ?? (bucketUs === null ? await logs.total(selection) : sum(buckets))
  const before = { fromUs: Math.max(0, range.fromUs - (range.toUs - range.fromUs)), toUs: range.fromUs }
  const { rows: deploys } = await deploysBehind(control.deploys, {
    projectId: project.id,
    range,
    environments,
    order: 'newest',
    limit: MAX_LIMIT,
  })
  return {
    window: usedWindow(range),
    total,
    bucketSeconds: bucketUs === null ? null : bucketUs / 1e6,
    buckets,
    groups: found?.largest ?? [],
    otherGroups: found ? found.groups - found.largest.length : 0,
    deploys: deploys.map(toDeployRow),
    previous:
      input.compare === 'previous'
        ? { window: usedWindow(before), total: await logs.total({ ...selection, range: before }) }
        : null,
    warnings: [
      ...window.warnings,
      ...warnings,
      ...(await unknownFields(logs, { query: withFields(query, fields), range, signal })),
    ],
    empty: total === 0 ? await whyEmpty(logs, { range, query, environments, publicUrl, signal }) : null,
  }
}

async function countBuckets(
  logs: ProjectLogs,
  selection: Selection,
  bucketUs: number,
  field: Field | undefined,
): Promise<CountAnswer['buckets']> {
  const top = field === undefined ? [] : (await logs.groups(selection, { fields: [field], limit: MAX_SPLIT })).largest
  const values = top.map(({ values: [value] }) => value ?? '')
  const split = field === undefined ? undefined : { field, values }
  const { firstUs, count } = bucketStarts(selection.range, bucketUs)
  const buckets = Array.from({ length: count }, (_, index) => ({
    timestamp: formatRfc3339(firstUs + index * bucketUs),
    count: 0,
    by: new Map<string, number>(),
  }))
  for (const part of await logs.buckets(selection, { bucketUs, split })) {
    const bucket = buckets[(part.startUs - firstUs) / bucketUs]
    if (bucket === undefined) continue
    bucket.count += part.count
    if (part.value !== null) bucket.by.set(part.value, (bucket.by.get(part.value) ?? 0) + part.count)
  }
  return buckets.map((bucket) => ({ ...bucket, by: Object.fromEntries(bucket.by) }))
}

function sum(buckets: CountAnswer['buckets']): number {
  return buckets.reduce((total, { count }) => total + count, 0)
}

/** A field that is grouped by can be misspelt as well as one in the query. */
function withFields({ root }: Query, fields: readonly Field[]): Query {
  const has = fields.map((field) => ({ kind: 'has' as const, field, span: { from: 0, to: 0 } }))
  return { root: allOf(root === null ? has : [root, ...has]) }
}
