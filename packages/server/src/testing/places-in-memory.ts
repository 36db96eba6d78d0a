/** The questions about many places, answered from an array: what the engine is compared with, and what stands in for it. */
import type { Field } from '@tidemark/wire/query/fields'
import type { ProjectLogs } from '../logstore/log-store.ts'
import {
  type Place,
  PROFILE_FIELDS,
  PROFILE_VALUES,
  PROFILED,
  type SpanValue,
  type StoredRecord,
} from '../logstore/questions.ts'
import type { ErrorKind } from '../model/grouping-rule.ts'
import type { Profile } from '../model/profile.ts'
import type { TimeRange } from '../model/time-range.ts'

export type PlaceAnswers = Pick<ProjectLogs, 'errorBuckets' | 'profiles' | 'valueSpans'>

export function placesInMemory(records: readonly StoredRecord[]): PlaceAnswers {
  return {
    async errorBuckets(spans) {
      return spans.map(({ range, kinds, environment, bucketUs }) => {
        const found = records.filter((one) => isWithin(one, range) && isOfKinds(one, kinds))
        const buckets = countsBy(
          found.filter((one) => one.environment === environment),
          ({ timeUs }) => String(Math.floor((timeUs - range.fromUs) / bucketUs)),
        )
        return buckets.map(({ value, count }) => ({ at: Number(value), count })).sort((a, b) => a.at - b.at)
      })
    },
    async profiles(places) {
      return places.map((place) => {
        const isWanted = (one: StoredRecord) => isOfKinds(one, place.kinds) === (place.of === 'errors')
        return profileOf(records.filter((one) => isIn(one, place) && isWanted(one)))
      })
    },
    async valueSpans(places) {
      return places.map(({ field, value, ...place }) => {
        const others = records.filter((one) => isIn(one, place) && !isOfKinds(one, place.kinds))
        return others.filter((one) => textOf(one, field) === value).length
      })
    },
  }
}

function profileOf(records: readonly StoredRecord[]): Profile {
  const sent = new Set(records.flatMap(({ attributes }) => [...attributes.keys()]))
  const all: Field[] = [
    ...PROFILED.map((name) => ({ kind: 'core', name }) as const),
    ...[...sent].map((name) => ({ kind: 'attribute', name }) as const),
  ]
  const fields = all.flatMap((field) => {
    const having = records.filter((one) => textOf(one, field) !== null)
    if (having.length === 0) return []
    return [
      {
        field,
        records: having.length,
        values: countsBy(having, (one) => textOf(one, field) ?? '').slice(0, PROFILE_VALUES),
      },
    ]
  })
  fields.sort(
    (a, b) =>
      b.records - a.records ||
      Number(a.field.kind === 'attribute') - Number(b.field.kind === 'attribute') ||
      (a.field.name < b.field.name ? -1 : 1),
  )
  return { records: records.length, fields: fields.slice(0, PROFILE_FIELDS) }
}

/** Null for a record without the field. */
function textOf(record: StoredRecord, { kind, name }: Field): string | null {
  if (kind === 'core') {
    const value = name === 'error.type' ? record.error?.type : record[name as (typeof PROFILED)[0]]
    return value || null
  }
  const value = record.attributes.get(name)
  return value === undefined ? null : [...String(value)].slice(0, 256).join('')
}

function isIn(record: StoredRecord, { ranges, environment, service }: Place): boolean {
  if (record.environment !== environment || (service !== null && record.service !== service)) return false
  return ranges.some((range) => isWithin(record, range))
}

export function isWithin({ timeUs }: StoredRecord, { fromUs, toUs }: TimeRange): boolean {
  return timeUs >= fromUs && timeUs < toUs
}

export function isOfKinds(record: StoredRecord, kinds: readonly ErrorKind[]): boolean {
  return kinds.some(
    ({ fingerprint, split }) =>
      record.fingerprint === fingerprint && (split === null || record[split.field] === split.value),
  )
}

/** Largest first, ties by the value. */
export function countsBy(records: readonly StoredRecord[], value: (record: StoredRecord) => string): SpanValue[] {
  const counts = new Map<string, number>()
  for (const record of records) counts.set(value(record), (counts.get(value(record)) ?? 0) + 1)
  return [...counts]
    .map(([one, count]) => ({ value: one, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
}
