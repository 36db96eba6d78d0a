/** The questions about patterns, answered from an array: what the engine is compared with, and what stands in for it. */
import { LEVELS } from '@tidemark/wire/level'
import type { Query } from '@tidemark/wire/query/ast'
import type { ProjectLogs } from '../logstore/log-store.ts'
import {
  type FoundPattern,
  PATTERN_MESSAGE_CHARACTERS,
  PATTERN_SERVICES,
  type PatternQuestion,
  type StoredRecord,
} from '../logstore/questions.ts'
import { countsBy, isWithin } from './places-in-memory.ts'

export type PatternAnswers = Pick<ProjectLogs, 'patterns' | 'patternSamples'>

export function patternsInMemory(
  records: readonly StoredRecord[],
  matches: (record: StoredRecord, query: Query) => boolean,
): PatternAnswers {
  return {
    async patterns({ range, filter }, question) {
      const { base, limit } = question
      const found = records.filter((one) => matches(one, filter))
      const now = found.filter((one) => isWithin(one, range))
      const before = base === undefined ? [] : found.filter((one) => isWithin(one, base))
      const all = [...now, ...before]
      const [fromUs, toUs] = [Math.min(range.fromUs, base?.fromUs ?? range.fromUs), base?.toUs ?? 0]
      const near = records.filter((one) => isWithin(one, { fromUs, toUs: Math.max(toUs, range.toUs) }))
      const named = countsBy(
        near.filter(({ service }) => service !== ''),
        ({ service }) => service,
      )
      const services = new Set(named.slice(0, PATTERN_SERVICES).map(({ value }) => value))
      const [ofNow, ofBefore] = [byKey(now, ({ pattern }) => pattern), byKey(before, ({ pattern }) => pattern)]
      const largest = countsBy(all, ({ pattern }) => pattern).map(({ value }) =>
        patternOf(value, ofNow.get(value) ?? [], ofBefore.get(value) ?? [], question, services),
      )
      return {
        largest: largest.slice(0, limit),
        patterns: largest.length,
        total: now.length,
        baseTotal: before.length,
      }
    },
    async patternSamples({ filter }, places) {
      const found = byKey(
        records.filter((one) => matches(one, filter)),
        ({ pattern, timeUs }) => `${pattern} ${timeUs}`,
      )
      return places.flatMap(({ pattern, timeUs }) => {
        const [newest] = (found.get(`${pattern} ${timeUs}`) ?? []).sort((a, b) => (a.id < b.id ? 1 : -1))
        if (newest === undefined) return []
        const message = [...newest.message].slice(0, PATTERN_MESSAGE_CHARACTERS).join('')
        return [{ pattern, timeUs, id: newest.id, message }]
      })
    },
  }
}

function patternOf(
  pattern: string,
  mine: readonly StoredRecord[],
  theirs: readonly StoredRecord[],
  { slices: { startUs, lengthUs } }: PatternQuestion,
  services: ReadonlySet<string>,
): FoundPattern {
  const told = mine.length > 0 ? mine : theirs
  const times = told.map(({ timeUs }) => timeUs)
  return {
    pattern,
    count: mine.length,
    baseCount: theirs.length,
    firstUs: Math.min(...times),
    lastUs: Math.max(...times),
    slices: countsBy(mine, ({ timeUs }) => String(Math.floor((timeUs - startUs) / lengthUs)))
      .map(({ value, count }) => ({ at: Number(value), count }))
      .sort((a, b) => a.at - b.at),
    levels: LEVELS.filter((level) => told.some((one) => one.level === level)).reverse(),
    services: [...new Set(told.map(({ service }) => service))].filter((service) => services.has(service)).sort(),
  }
}

function byKey(records: readonly StoredRecord[], keyOf: (record: StoredRecord) => string): Map<string, StoredRecord[]> {
  const groups = new Map<string, StoredRecord[]>()
  for (const record of records) {
    const group = groups.get(keyOf(record))
    if (group === undefined) groups.set(keyOf(record), [record])
    else group.push(record)
  }
  return groups
}
