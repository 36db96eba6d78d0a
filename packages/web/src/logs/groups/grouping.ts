/** How the records of a search are grouped: what the address says, what the service is asked, and what is shown of it. */

import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import { type GroupedBy, groupedBy, groupsQuestion } from '@tidemark/wire/dashboard/logs-question'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'
import { MAX_COUNTED_VALUE_CHARACTERS } from '@tidemark/wire/limits'
import { addTerm, joinTerm } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'
import { parseQuery } from '@tidemark/wire/query/parse'
import { printField } from '@tidemark/wire/query/print'
import type { CountAnswer, CountInput } from '@tidemark/wire/reading/count'
import type { Measure } from '@tidemark/wire/reading/measure'

/** More rows are no overview any more; the rest is counted below them. */
export const MAX_ROWS = 100

export type Sort = 'measured' | 'count' | 'value'
export type Grouping = GroupedBy & { chart: 'stacked' | 'lines'; sort: Sort }
export type Group = CountAnswer['groups'][number]

export const MEASURE_WORDS: Record<Measure, string> = {
  count: 'Records',
  distinct: 'Distinct values of',
  avg: 'Average of',
  p50: 'p50 of',
  p95: 'p95 of',
  p99: 'p99 of',
  max: 'Highest of',
}

export function groupingOf(search: LogsSearch): Grouping {
  const by = groupedBy(search)
  const { chart, sort } = search
  return {
    ...by,
    // Only counts can be stacked: percentiles do not add up.
    chart: by.measure === 'count' && chart === undefined ? 'stacked' : 'lines',
    sort: sort === 'count' || sort === 'value' ? sort : 'measured',
  }
}

/** Undefined while something is still to be chosen, or the window is not known. */
export function groupsInputOf(
  filter: LogFilter,
  grouping: Grouping,
  window: { from: string; to: string } | undefined,
): CountInput | undefined {
  const { field, measure, of } = grouping
  if (window === undefined || isOfPatterns(field) || (measure !== 'count' && of === '')) return undefined
  return { ...groupsQuestion({ ...filter, ...window }, grouping), limit: MAX_ROWS }
}

/** Messages have a view of their own, which can do more. */
export function isOfPatterns(field: string): boolean {
  return field === 'pattern'
}

export function measuredOf(group: Group, measure: Measure): number | null {
  return measure === 'count' ? group.count : (group.measured ?? null)
}

/** The service ranks by what is measured; the other orders are made of the same groups. */
export function inOrder(groups: readonly Group[], sort: Sort): readonly Group[] {
  if (sort === 'measured') return groups
  if (sort === 'count') return groups.toSorted((one, other) => other.count - one.count)
  return groups.toSorted((one, other) => compareValues(one.values[0] ?? null, other.values[0] ?? null))
}

function compareValues(one: string | null, other: string | null): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null)
  return one.localeCompare(other, 'en', { numeric: true })
}

/** The query with only this group, or without it. Undefined where no query can ask for it. */
export function narrowedTo(query: string | undefined, field: string, value: string | null, exclude = false) {
  const text = query ?? ''
  const named = fieldNamed(field)
  if (value === null) {
    const has = `has:${printField(named)}`
    return joinTerm(text, exclude ? has : `-${has}`)
  }
  if ([...value].length >= MAX_COUNTED_VALUE_CHARACTERS) return undefined
  const edited = addTerm(text, { field: named, value, exclude })
  const parsed = parseQuery(edited)
  return parsed.ok ? edited : undefined
}
