/** Counts by pattern: the stored numbers become the texts that people tell messages apart by. */
import type { Field } from '@tidemark/wire/query/fields'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { Warning } from '@tidemark/wire/reading/question'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import type { Selection } from '../../../logstore/questions.ts'
import type { ProjectId } from '../../../model/project.ts'
import { leftOut, type MergedPatterns, mergedPatterns, PATTERN } from '../patterns/merged-patterns.ts'
import type { PatternTexts } from '../patterns/pattern-texts.ts'
import { bucketStarts } from './count-logs-bucket.ts'

/** Of a pattern with other fields; rarer ones are counted in `otherGroups` without being merged. */
const MAX_COMBINATIONS = 10_000
const NO_PATTERN = '0'.repeat(16)

type Parts = { logs: ProjectLogs; project: ProjectId; patternTexts: PatternTexts }
type Question = { fields: readonly Field[]; bucketUs: number | null; limit: number }
type Counted = Pick<CountAnswer, 'groups' | 'otherGroups' | 'total'> & {
  /** When the pattern comes first: over time, largest first. Those that are in none come last, without a text. */
  series: { text: string | null; buckets: { startUs: number; count: number }[] }[]
  warnings: Warning[]
}

export function isPattern(field: Field): boolean {
  return field.kind === 'core' && field.name === PATTERN
}

export async function countPatterns(parts: Parts, selection: Selection, question: Question): Promise<Counted> {
  const { range } = selection
  const { fields, bucketUs, limit } = question
  const slices =
    bucketUs === null
      ? { startUs: range.fromUs, lengthUs: range.toUs - range.fromUs }
      : { startUs: bucketStarts(range, bucketUs).firstUs, lengthUs: bucketUs }
  const merged = await mergedPatterns(parts, selection, { slices })
  const isAlone = fields.length === 1
  const [{ groups, others }, series] = await Promise.all([
    isAlone ? patternGroups(merged) : combinations(parts.logs, selection, { fields, merged }),
    bucketUs === null || !isPattern(fields[0]!) ? [] : seriesOf(parts.logs, selection, { merged, bucketUs, slices }),
  ])
  return {
    groups: groups.slice(0, limit),
    otherGroups: Math.max(0, groups.length - limit) + others,
    total: merged.records,
    series,
    warnings: leftOut(merged),
  }
}

type Groups = { groups: CountAnswer['groups']; others: number }

function patternGroups({ patterns, left }: MergedPatterns): Groups {
  return { groups: patterns.map(({ text, count }) => ({ values: [text], count })), others: left.patterns }
}

async function combinations(
  logs: ProjectLogs,
  selection: Selection,
  { fields, merged }: { fields: readonly Field[]; merged: MergedPatterns },
): Promise<Groups> {
  const found = await logs.groups(selection, { fields, limit: MAX_COMBINATIONS })
  const textOf = new Map(merged.patterns.flatMap(({ text, members }) => members.map((one) => [one.pattern, text])))
  const groups = new Map<string, CountAnswer['groups'][number]>()
  let others = found.groups - found.largest.length
  for (const { values, count } of found.largest) {
    const texts = values.map((value, at) =>
      isPattern(fields[at]!) ? textOf.get(value ?? NO_PATTERN) : (value ?? null),
    )
    if (texts.includes(undefined)) {
      others++
      continue
    }
    const key = JSON.stringify(texts)
    const known = groups.get(key)
    if (known === undefined) groups.set(key, { values: texts as (string | null)[], count })
    else known.count += count
  }
  return { groups: [...groups.values()].sort((a, b) => b.count - a.count), others }
}

async function seriesOf(
  logs: ProjectLogs,
  selection: Selection,
  {
    merged,
    bucketUs,
    slices,
  }: { merged: MergedPatterns; bucketUs: number; slices: { startUs: number; lengthUs: number } },
): Promise<Counted['series']> {
  const series: Counted['series'] = merged.patterns.map((one) => ({
    text: one.text,
    buckets: one.slices.map(({ at, count }) => ({ startUs: slices.startUs + at * slices.lengthUs, count })),
  }))
  if (merged.left.records === 0) return series
  // What is in none of the patterns is the rest of each bucket.
  const rest = new Map((await logs.buckets(selection, { bucketUs })).map(({ startUs, count }) => [startUs, count]))
  for (const { buckets } of series) {
    for (const { startUs, count } of buckets) rest.set(startUs, (rest.get(startUs) ?? 0) - count)
  }
  return [...series, { text: null, buckets: [...rest].map(([startUs, count]) => ({ startUs, count })) }]
}
