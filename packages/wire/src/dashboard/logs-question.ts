/**
 * What the logs page asks, by what its address says. The page itself, whoever copies it as a call or a command, and an agent
 * that was given the address ask the same.
 */
import { fieldNamed, nameOfField } from '../query/fields.ts'
import type { CountInput } from '../reading/count.ts'
import { type Measure, measureNamed } from '../reading/measure.ts'
import type { PatternsInput } from '../reading/patterns.ts'
import type { SearchInput } from '../reading/search.ts'
import type { LogsSearch } from './search.ts'

/** Of the histogram. A target; the service rounds to a natural length of bucket. */
const HISTOGRAM_BUCKETS = '90'
/** Of the chart of groups. */
const GROUP_BUCKETS = '60'
const DEFAULT_GROUP = 'service'

type Filter = Pick<SearchInput, 'query' | 'environment' | 'from' | 'to'>

export type Comparison = { kind: 'before' } | { kind: 'off' } | { kind: 'deploy'; deployId: string }
export type GroupedBy = {
  field: string
  measure: Measure
  /** Empty until it is chosen. */
  of: string
}

/** With the tool that answers it; the door for programs takes the same arguments. */
export type LogsQuestion =
  | { tool: 'list_logs'; asked: SearchInput }
  | { tool: 'list_log_patterns'; asked: PatternsInput }
  | { tool: 'count_logs'; asked: CountInput }

export function logsQuestion(filter: Filter, search: LogsSearch): LogsQuestion {
  switch (search.view) {
    case 'patterns':
      return { tool: 'list_log_patterns', asked: patternsQuestion(filter, comparisonOf(search.compare)) }
    case 'groups':
      return { tool: 'count_logs', asked: groupsQuestion(filter, groupedBy(search)) }
    default:
      return { tool: 'list_logs', asked: { ...only(filter), order: isOldestFirst(search) ? 'oldest' : undefined } }
  }
}

/** `off`, or a deploy. Where the address does not say, it is the time before. */
export function comparisonOf(compare: string | undefined): Comparison {
  if (compare === undefined) return { kind: 'before' }
  return compare === 'off' ? { kind: 'off' } : { kind: 'deploy', deployId: compare }
}

/** A deploy stands for both windows. */
export function patternsQuestion(filter: Filter, comparison: Comparison): PatternsInput {
  const { query, environment } = filter
  if (comparison.kind === 'deploy') return { query, environment, deployId: comparison.deployId }
  return comparison.kind === 'off' ? only(filter) : { ...only(filter), compare: 'previous' }
}

export function groupedBy({ group, measure: text, of = '' }: LogsSearch): GroupedBy {
  const measure = measureNamed(text)
  return { field: nameOfField(fieldNamed(group ?? DEFAULT_GROUP)), measure, of: measure === 'count' ? '' : of }
}

/** Records are counted where what is measured is still to be chosen. */
export function groupsQuestion(filter: Filter, { field, measure, of }: GroupedBy): CountInput {
  const asked = { ...only(filter), groupBy: [field], bucket: GROUP_BUCKETS }
  return of === '' ? asked : { ...asked, measure, of }
}

/** What stands above the records, whatever their order. */
export function histogramQuestion(filter: Filter): CountInput {
  return { ...only(filter), groupBy: ['level'], bucket: HISTOGRAM_BUCKETS }
}

/** A trace is read from its beginning. */
export function isOldestFirst({ view, order }: LogsSearch): boolean {
  return view === 'trace' || order === 'oldest'
}

function only({ query, environment, from, to }: Filter): Filter {
  return { query, environment, from, to }
}
