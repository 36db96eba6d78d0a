/**
 * A project's records in an array, with the questions that analyses ask, answered as the interface promises. It knows the
 * queries that we write ourselves (names that equal, levels from one on, all of, any of, words of the message) and counts how often it was
 * asked.
 */
import { isErrorLevel } from '@tidemark/wire/level'
import type { Bound, Compare, Expression, Match } from '@tidemark/wire/query/ast'
import type { Field } from '@tidemark/wire/query/fields'
import type { ProjectLogs } from '../logstore/log-store.ts'
import { type ErrorSpan, type Selection, SPAN_VALUES, START_RECORDS, type StoredRecord } from '../logstore/questions.ts'
import { BEGINS, OF_WORK, SAYS } from '../logstore/read/start-words.ts'
import { LEVEL_NUMBER } from '../model/level.ts'
import { type PatternAnswers, patternsInMemory } from './patterns-in-memory.ts'
import { countsBy, isOfKinds, isWithin, type PlaceAnswers, placesInMemory } from './places-in-memory.ts'

type Asked = PlaceAnswers &
  PatternAnswers &
  Pick<
    ProjectLogs,
    | 'byIds'
    | 'total'
    | 'groups'
    | 'fields'
    | 'measuredGroups'
    | 'buckets'
    | 'series'
    | 'search'
    | 'errorSpans'
    | 'recordSpans'
    | 'serviceSpans'
    | 'startRecords'
    | 'places'
    | 'lastTimeUs'
  >

export function recordsInMemory(records: readonly StoredRecord[]): { logs: ProjectLogs; asked: string[] } {
  const asked: string[] = []
  const selected = ({ range, filter }: Selection) =>
    records.filter((one) => isWithin(one, range) && matches(one, filter.root))

  const answers: Asked = {
    ...placesInMemory(records),
    ...patternsInMemory(records, (one, { root }) => matches(one, root)),
    startRecords: async (spans) =>
      spans.map(({ range, environment, service }) =>
        records
          .filter((one) => isWithin(one, range) && one.environment === environment && one.service === service)
          .filter((one) => one.fingerprint === null && tellsOfStart(one.message))
          .sort((a, b) => b.timeUs - a.timeUs)
          .slice(0, START_RECORDS),
      ),
    async places() {
      const found = countsBy(records, ({ environment, service }) => JSON.stringify([environment, service]))
      return found.map(({ value, count }) => {
        const [environment, service] = JSON.parse(value)
        return { environment, service, count }
      })
    },
    lastTimeUs: async () => records.reduce<number | null>((last, { timeUs }) => Math.max(last ?? 0, timeUs), null),
    total: async (selection) => selected(selection).length,
    async groups(selection, { fields, limit }) {
      const found = selected(selection)
      const groups = countsBy(found, (one) => JSON.stringify(fields.map((field) => fieldOf(one, field) || null)))
      const largest = groups.slice(0, limit).map(({ value, count }) => ({ values: JSON.parse(value), count }))
      return { largest, groups: groups.length, total: found.length }
    },
    /** Attributes alone, without their values. */
    async fields(selection, { maxFields }) {
      const found = selected(selection)
      const names = new Set(found.flatMap(({ attributes }) => [...attributes.keys()]))
      const fields = [...names].slice(0, maxFields).map((name) => {
        const records = found.filter(({ attributes }) => attributes.has(name)).length
        const size = { records, sampled: found.length, distinct: 0 }
        return { field: { kind: 'attribute', name } as const, type: 'mixed' as const, ...size, values: [] }
      })
      fields.sort((one, other) => other.records - one.records)
      return { total: null, sampled: found.length, fields }
    },
    /** Different values, of all records together. */
    async measuredGroups(selection, { measure: { field } }) {
      const found = selected(selection)
      const different = new Set(found.flatMap((one) => fieldOf(one, field) || []))
      return {
        highest: [{ values: [], count: found.length, measured: different.size }],
        groups: 1,
        total: found.length,
      }
    },
    async buckets(selection, { bucketUs, originUs = 0 }) {
      const startOf = (timeUs: number) => originUs + Math.floor((timeUs - originUs) / bucketUs) * bucketUs
      const starts = countsBy(selected(selection), ({ timeUs }) => String(startOf(timeUs)))
      return starts.map(({ value, count }) => ({ startUs: Number(value), value: null, count }))
    },
    async series(selection, { bucketUs, field, limit }) {
      const found = selected(selection)
      const kinds = countsBy(found, (one) => fieldOf(one, field))
      const largest = kinds.slice(0, limit).map(({ value, count }) => {
        const inside = found.filter((one) => fieldOf(one, field) === value)
        const points = countsBy(inside, ({ timeUs }) => String(Math.floor(timeUs / bucketUs) * bucketUs))
        return { value, count, buckets: points.map((one) => ({ startUs: Number(one.value), count: one.count })) }
      })
      return { largest, others: [], groups: kinds.length, total: found.length }
    },
    async byIds(ids) {
      return records.filter(({ id }) => ids.includes(id)).sort((a, b) => b.timeUs - a.timeUs)
    },
    async search(search) {
      const found = selected(search)
        .filter(({ id }) => id !== search.after)
        .sort((a, b) => b.timeUs - a.timeUs || (a.id < b.id ? 1 : -1))
      if (search.order === 'oldest') found.reverse()
      return { records: found.slice(0, search.limit), isEnd: found.length <= search.limit }
    },
    async errorSpans(spans) {
      return spans.map((span) => {
        const found = records.filter((one) => isOfSpan(one, span))
        return countsBy(found, (one) => (span.by === null ? '' : one[span.by]))
      })
    },
    async recordSpans(spans) {
      return spans.map(
        ({ range, environment }) =>
          records.filter((one) => isWithin(one, range) && one.environment === environment).length,
      )
    },
    async serviceSpans(spans) {
      return spans.map(({ range, environment }) => {
        const found = records.filter((one) => isWithin(one, range) && one.environment === environment)
        const services = countsBy(found, ({ service }) => service).map(({ value: service, count }) => {
          return { service, records: count, errors: errorsAmong(found.filter((one) => one.service === service)) }
        })
        return { records: found.length, errors: errorsAmong(found), services: services.slice(0, SPAN_VALUES) }
      })
    },
  }
  const logs = new Proxy(answers as ProjectLogs, {
    get: (target, name: keyof Asked) => {
      asked.push(name)
      return target[name]
    },
  })
  return { logs, asked }
}

function errorsAmong(records: readonly StoredRecord[]): number {
  return records.filter(({ level }) => isErrorLevel(level)).length
}

function isOfSpan(record: StoredRecord, { range, kinds, environment }: ErrorSpan): boolean {
  if (!isWithin(record, range) || (environment !== null && record.environment !== environment)) return false
  return isOfKinds(record, kinds)
}

const [SAYING, BEGINNING, WORKING] = [SAYS, BEGINS, OF_WORK].map((pattern) => new RegExp(pattern, 'i')) as [
  RegExp,
  RegExp,
  RegExp,
]

function tellsOfStart(message: string): boolean {
  return SAYING.test(message) || (BEGINNING.test(message) && !WORKING.test(message))
}

function matches(record: StoredRecord, expression: Expression | null): boolean {
  if (expression === null) return true
  switch (expression.kind) {
    case 'and':
      return expression.parts.every((part) => matches(record, part))
    case 'or':
      return expression.parts.some((part) => matches(record, part))
    case 'not':
      return !matches(record, expression.part)
    case 'has':
      return fieldOf(record, expression.field) !== ''
    case 'text':
      if (expression.match.kind === 'literal') return record.message.includes(expression.match.value)
      break
    case 'field':
      if (expression.match.kind === 'literal') return fieldOf(record, expression.field) === expression.match.value
      if (isAtLeastLevel(expression.match))
        return LEVEL_NUMBER[record.level] >= LEVEL_NUMBER[expression.match.bound.level]
  }
  throw new Error(`The records in memory know no ${expression.kind}.`)
}

function isAtLeastLevel(match: Match): match is Compare & { bound: Bound & { kind: 'level' } } {
  return match.kind === 'compare' && match.comparison === '>=' && match.bound.kind === 'level'
}

function fieldOf(record: StoredRecord, { kind, name }: Field): string {
  if (kind === 'attribute') return String(record.attributes.get(name) ?? '')
  return String((record as unknown as Record<string, unknown>)[name] ?? '')
}
