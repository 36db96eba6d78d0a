/** Messages that came for the first time in the window, or came no more. */
import type { Change } from '../../analysis/change/change.ts'
import { patternChanges } from '../../analysis/change/pattern-changes.ts'
import { differencesOf } from '../../analysis/compare/differences.ts'
import { patternSearches } from '../../analysis/pattern/pattern-query.ts'
import type { ProjectId } from '../../model/project.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { secondsOf } from '../reading/compared-spans.ts'
import { mergedPatterns, talliedPatterns } from '../reading/patterns/merged-patterns.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { FINEST_SLICE_US, stepOf } from './change-window.ts'
import type { AskedRecords } from './record-question.ts'

const MAX_SLICES = 288

/** One statement, and one more for the texts of messages that were not seen lately. */
export async function changedPatterns(
  { patternTexts, now }: Pick<ReadingParts, 'patternTexts' | 'now'>,
  projectId: ProjectId,
  { logs, range, base, filter, window, signal }: AskedRecords & { base: TimeRange },
): Promise<Change[]> {
  const lengthUs = stepOf(range, FINEST_SLICE_US, MAX_SLICES)
  const question = { base, slices: { startUs: range.fromUs, lengthUs } }
  const merged = await mergedPatterns({ logs, project: projectId, patternTexts }, { range, filter, signal }, question)
  if (merged.records === 0 || merged.baseRecords === 0) return []
  const nowUs = now() * 1_000
  const seconds = { seconds: secondsOf(range, nowUs), baseSeconds: secondsOf(base, nowUs) }
  const appeared = differencesOf(...talliedPatterns(merged, seconds)).filter(({ change }) => change === 'appeared')
  const searchOf = patternSearches({ root: null })
  const empty = Array.from({ length: Math.ceil((range.toUs - range.fromUs) / lengthUs) }, (_, at) => ({
    fromUs: range.fromUs + at * lengthUs,
    toUs: Math.min(range.toUs, range.fromUs + (at + 1) * lengthUs),
    count: 0,
  }))
  const streams = merged.patterns.map((pattern) => {
    const slices = empty.map((slice) => ({ ...slice }))
    for (const { at, count } of pattern.slices) if (slices[at] !== undefined) slices[at].count = count
    return {
      ...pattern,
      slices: [{ ...base, count: pattern.baseCount }, ...slices],
      query: searchOf(pattern.members)?.query ?? null,
    }
  })
  return patternChanges(streams, appeared, { ...window, baseUs: base.toUs - base.fromUs })
}
