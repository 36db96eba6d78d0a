/** The patterns of a selection as people tell messages apart: the stored ones that differ only in a value are one. */

import { LEVELS } from '@tidemark/wire/level'
import type { Warning } from '@tidemark/wire/reading/question'
import { counted } from '@tidemark/wire/text/counted'
import type { TalliedWindow } from '../../../analysis/compare/differences.ts'
import { hashText, toHex } from '../../../analysis/pattern/hash.ts'
import { byCountThenText, mergePatterns } from '../../../analysis/pattern/merge-patterns.ts'
import type { ProjectLogs } from '../../../logstore/log-store.ts'
import {
  type FoundPattern,
  MAX_PATTERNS,
  type PatternQuestion,
  type PatternSample,
  type Selection,
} from '../../../logstore/questions.ts'
import type { ProjectId } from '../../../model/project.ts'
import { type PatternTexts, readTexts } from './pattern-texts.ts'

/** Of an example in an answer. A longer one is cut. */
export const MAX_SAMPLE_CHARACTERS = 1_000

export type ReadPattern = Omit<FoundPattern, 'pattern'> & {
  /** The same for the same text. */
  id: string
  text: string
  /** Most frequent first. */
  members: readonly FoundPattern[]
}

export type MergedPatterns = {
  /** Largest first by both counts together. Each text is there once. */
  patterns: ReadPattern[]
  records: number
  baseRecords: number
  /** Stored patterns that are in none of them, and their records: those beyond the limit. */
  left: { patterns: number; records: number; baseRecords: number }
  /** The newest record of each, of the window where it has any; one that went meanwhile is left out. By id. */
  samplesOf(shown: readonly ReadPattern[]): Promise<Map<string, PatternSample>>
}

type Asked = Pick<ProjectLogs, 'patterns' | 'patternSamples'>

export async function mergedPatterns(
  { logs, project, patternTexts }: { logs: Asked; project: ProjectId; patternTexts: PatternTexts },
  selection: Selection,
  question: Omit<PatternQuestion, 'limit'>,
): Promise<MergedPatterns> {
  const { filter, signal } = selection
  const found = await logs.patterns(selection, { ...question, limit: MAX_PATTERNS })
  const places = found.largest.map(({ pattern, lastUs }) => ({ pattern, timeUs: lastUs }))
  const { texts, samples } = await readTexts(patternTexts, logs, project, { filter, signal, places })
  const told = found.largest.filter(({ pattern }) => texts.has(pattern))
  const templates = told.map(({ pattern, count, baseCount }) => ({
    text: texts.get(pattern) ?? '',
    count: count + baseCount,
  }))
  const members = new Map<string, FoundPattern[]>()
  for (const one of mergePatterns(templates)) {
    const own = one.members.map((at) => told[at]!)
    members.set(one.text, [...(members.get(one.text) ?? []), ...own])
  }
  const patterns = [...members].map(([text, own]) => mergedOf(text, own))
  const sum = (of: (one: FoundPattern) => number) => told.reduce((total, one) => total + of(one), 0)
  return {
    patterns: patterns.sort((a, b) => byCountThenText(inBoth(a), inBoth(b))),
    records: found.total,
    baseRecords: found.baseTotal,
    left: {
      patterns: found.patterns - told.length,
      records: found.total - sum(({ count }) => count),
      baseRecords: found.baseTotal - sum(({ baseCount }) => baseCount),
    },
    async samplesOf(shown) {
      const newest = shown.map((one) => ({ id: one.id, member: newestOf(one) }))
      const unread = newest.filter(({ member }) => !samples.has(member.pattern))
      const unreadPlaces = unread.map(({ member }) => ({ pattern: member.pattern, timeUs: member.lastUs }))
      const read = unread.length === 0 ? [] : await logs.patternSamples({ filter, signal }, unreadPlaces)
      for (const { pattern, id, message } of read) {
        samples.set(pattern, { id, message })
      }
      return new Map(
        newest.flatMap(({ id, member }) => {
          const sample = samples.get(member.pattern)
          return sample === undefined ? [] : [[id, sample] as const]
        }),
      )
    },
  }
}

const inBoth = ({ text, count, baseCount }: ReadPattern) => ({ text, count: count + baseCount })

function mergedOf(text: string, all: readonly FoundPattern[]): ReadPattern {
  const members = all.toSorted(
    (a, b) => b.count - a.count || b.baseCount - a.baseCount || (a.pattern < b.pattern ? -1 : 1),
  )
  const [count, baseCount] = [sumOf(members, 'count'), sumOf(members, 'baseCount')]
  const own = inWindow(members)
  const slices = new Map<number, number>()
  for (const member of own) for (const one of member.slices) slices.set(one.at, (slices.get(one.at) ?? 0) + one.count)
  const levels = new Set(own.flatMap((one) => one.levels))
  return {
    id: `pat_${toHex(hashText(text))}`,
    text,
    count,
    baseCount,
    firstUs: own.reduce((first, { firstUs }) => Math.min(first, firstUs), Number.POSITIVE_INFINITY),
    lastUs: own.reduce((last, { lastUs }) => Math.max(last, lastUs), 0),
    slices: [...slices].map(([at, records]) => ({ at, count: records })).sort((a, b) => a.at - b.at),
    levels: LEVELS.filter((level) => levels.has(level)).reverse(),
    services: [...new Set(own.flatMap(({ services }) => services))].sort(),
    members,
  }
}

/** Those that the window has; where it has none, those of the base. */
function inWindow(members: readonly FoundPattern[]): readonly FoundPattern[] {
  const own = members.filter(({ count }) => count > 0)
  return own.length > 0 ? own : members
}

function newestOf({ members }: ReadPattern): FoundPattern {
  return inWindow(members).reduce((newest, one) => (one.lastUs > newest.lastUs ? one : newest))
}

/** For `differencesOf`: how often each text comes in the window and in the base, and how many seconds these last. */
export function talliedPatterns(
  { patterns, records, baseRecords }: Pick<MergedPatterns, 'patterns' | 'records' | 'baseRecords'>,
  { seconds, baseSeconds }: { seconds: number; baseSeconds: number },
): [now: TalliedWindow, base: TalliedWindow] {
  const tally = (total: number, inSeconds: number, count: (one: ReadPattern) => number): TalliedWindow => {
    const values = patterns.map((one) => ({ value: one.text, count: count(one) }))
    return {
      records: total,
      seconds: inSeconds,
      fields: [{ field: PATTERN, isOurs: true, values, isCut: false }],
      isCut: false,
    }
  }
  return [tally(records, seconds, ({ count }) => count), tally(baseRecords, baseSeconds, ({ baseCount }) => baseCount)]
}

/** What is to be said about the patterns beyond the limit. */
export function leftOut({ left, patterns }: MergedPatterns): Warning[] {
  if (left.patterns === 0) return []
  const kinds = patterns.reduce((sum, { members }) => sum + members.length, 0)
  const records = counted(left.records + left.baseRecords, 'record')
  const message = `Patterns are made of the ${counted(kinds, 'most frequent kind')} of messages. ${counted(left.patterns, 'rarer kind')}, of ${records} together, are in none of them, so a count may be too low: narrow the query or the window.`
  return [{ message }]
}

export const PATTERN = 'pattern'

function sumOf(members: readonly FoundPattern[], name: 'count' | 'baseCount'): number {
  return members.reduce((sum, one) => sum + one[name], 0)
}
