/** The query and its shorthands as one query, checked; and the part of it that also applies to deploys. */
import { allOf, type Expression, NOWHERE, type Query, termsOf } from '@tidemark/wire/query/ast'
import { type EnvironmentPart, environmentOf } from '@tidemark/wire/query/environment-of'
import { parseQuery } from '@tidemark/wire/query/parse'
import { checkFields, type Warning as QueryWarning } from '@tidemark/wire/query/warnings'
import type { FilterInput, Warning } from '@tidemark/wire/reading/question'
import { equals } from '../../analysis/field-query.ts'
import { AppError } from '../../errors.ts'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import { compileQuery } from '../../logstore/query/compile-query.ts'
import type { StoredRecord } from '../../logstore/questions.ts'
import type { TimeRange } from '../../model/time-range.ts'

type LogFilter = { query: Query; environments: EnvironmentPart; warnings: Warning[] }

/** At most this many names are searched for a misspelt one. */
const MAX_KNOWN_FIELDS = 2_000

export function logFilter({ query = '', environment, service, level, traceId }: FilterInput): LogFilter {
  const parsed = parsedQuery(query, 'query')
  const parts = [
    parsed.query.root,
    environment === undefined ? null : equals('environment', environment),
    service === undefined ? null : equals('service', service),
    level === undefined ? null : levelTerm(level),
    traceId === undefined ? null : equals('traceId', traceId),
  ]
  const whole: Query = { root: allOf(parts.filter((part) => part !== null)) }
  // For its errors: mistakes in a regular expression are found by compiling it, and are better reported at once.
  compileQuery(whole)
  return { query: whole, environments: environmentOf(whole), warnings: parsed.warnings.map(toWarning) }
}

/** What identifies a filter, for a cursor: the same words in the same fields. */
export function filterQuestion(input: FilterInput): (string | undefined)[] {
  return [input.query, input.environment, input.service, input.level, input.traceId]
}

/** Attributes in the query that no record of the window has. Asks only when `records` do not show them already. */
export async function unknownFields(
  logs: Pick<ProjectLogs, 'fields'>,
  { query, range, records = [], signal }: UnknownFields,
): Promise<Warning[]> {
  const isUnseen = termsOf(query.root).some(
    (term) =>
      term.kind !== 'text' &&
      term.field.kind === 'attribute' &&
      !records.some(({ attributes }) => attributes.has(term.field.name)),
  )
  if (!isUnseen) return []
  const everything = { range, filter: { root: null }, signal }
  const { fields } = await logs.fields(everything, { maxFields: MAX_KNOWN_FIELDS, maxValues: 1 })
  const names = fields.flatMap(({ field }) => (field.kind === 'attribute' ? [field.name] : []))
  // Where there are no records at all, every name would be unknown.
  return names.length === 0 ? [] : checkFields(query, names).map(toWarning)
}

type UnknownFields = {
  query: Query
  range: TimeRange
  records?: readonly StoredRecord[]
  signal?: AbortSignal | undefined
}

function parsedQuery(text: string, path: string): { query: Query; warnings: QueryWarning[] } {
  const parsed = parseQuery(text)
  if (parsed.ok) return parsed
  const message = `${parsed.error.message} ${parsed.error.hint}`
  throw new AppError('invalid_request', message, { fields: [{ path, message }] })
}

/** `error`, and all that may follow `level:` in a query, such as `>=warn`. */
function levelTerm(level: string): Expression {
  const { root } = parsedQuery(`level:${level}`, 'level').query
  if (root?.kind === 'field' && termsOf(root).length === 1) return { ...root, span: NOWHERE }
  const message = 'level must be one level, or a comparison such as >=warn. Use the query for more.'
  throw new AppError('invalid_request', message, { fields: [{ path: 'level', message }] })
}

function toWarning({ message, from, to, suggestions }: QueryWarning): Warning {
  return { message, from, to, ...(suggestions.length > 0 && { suggestions }) }
}
