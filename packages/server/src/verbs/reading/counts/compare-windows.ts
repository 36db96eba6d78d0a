/** How two windows of records differ: values of fields and attributes, and patterns of messages. */

import { environmentOf } from '@tidemark/wire/query/environment-of'
import { nameOfField } from '@tidemark/wire/query/fields'
import type { CompareAnswer, CompareInput, Difference } from '@tidemark/wire/reading/compare'
import type { Warning } from '@tidemark/wire/reading/question'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { cutWithEllipsis } from '@tidemark/wire/text/cut-text'
import { shareWords } from '@tidemark/wire/text/share-words'
import {
  byTelling,
  differencesOf,
  type FoundDifference,
  type TalliedWindow,
} from '../../../analysis/compare/differences.ts'
import { patternSearches } from '../../../analysis/pattern/pattern-query.ts'
import { nameWords, oneShortLine } from '../../../analysis/words.ts'
import type { FieldList } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireReader } from '../../access.ts'
import { comparedSpans, secondsOf } from '../compared-spans.ts'
import { logFilter, unknownFields } from '../log-filter.ts'
import { narrowed } from '../narrowing.ts'
import {
  leftOut,
  MAX_SAMPLE_CHARACTERS,
  mergedPatterns,
  PATTERN,
  type ReadPattern,
  talliedPatterns,
} from '../patterns/merged-patterns.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { whyEmpty } from '../why-empty.ts'
import { usedWindow } from '../window.ts'

/** Rarer fields, and rarer values of a field, are not compared. */
const LISTING = { maxFields: 200, maxValues: 500 }
const MAX_DIFFERENCES = 50
/** Of one field: a hundred hosts that were replaced are not a hundred findings. */
const MAX_OF_A_FIELD = 5
const MAX_OF_PATTERNS = 10
const MAX_PATTERN_CHARACTERS = 160
const MAX_VALUE_CHARACTERS = 1_000
/** Which trace a record is of says nothing about what changed. */
const NOT_COMPARED = ['traceId']

export async function compareWindows(
  parts: ReadingParts,
  caller: Caller,
  input: CompareInput,
  signal?: AbortSignal,
): Promise<CompareAnswer> {
  const project = requireReader(caller)
  const { query, warnings } = logFilter(input)
  const { range, base, terms, environment, warnings: more } = await comparedSpans(parts, project, input)
  const filter = narrowed(query, { terms })
  const logs = parts.logStore.project(project.id)
  const [fields, baseFields, merged] = await Promise.all([
    logs.fields({ range, filter, signal }, LISTING),
    logs.fields({ range: base, filter, signal }, LISTING),
    mergedPatterns(
      { logs, project: project.id, patternTexts: parts.patternTexts },
      { range, filter, signal },
      { base, slices: { startUs: range.fromUs, lengthUs: range.toUs - range.fromUs } },
    ),
  ])
  const { records, baseRecords } = merged
  const nowUs = parts.now() * 1_000
  const seconds = { seconds: secondsOf(range, nowUs), baseSeconds: secondsOf(base, nowUs) }
  const found = [
    ...differencesOf(
      talliedFields(fields, records, seconds.seconds),
      talliedFields(baseFields, baseRecords, seconds.baseSeconds),
    ),
    ...differencesOf(...talliedPatterns(merged, seconds)),
  ]
  const told = mostTelling(found)
  const byText = new Map(merged.patterns.map((pattern) => [pattern.text, pattern]))
  const patternOf = ({ field, value }: FoundDifference) => (field === PATTERN ? byText.get(value) : undefined)
  const samples = await merged.samplesOf(told.flatMap((one) => patternOf(one) ?? []))
  const searchOf = patternSearches(logFilter({ ...input, environment: undefined }).query)
  return {
    window: usedWindow(range),
    baseWindow: usedWindow(base),
    environment,
    records,
    baseRecords,
    sampled: fields.sampled,
    baseSampled: baseFields.sampled,
    differences: told.map((one) => {
      const pattern = patternOf(one)
      return pattern === undefined ? ofValue(one) : ofPattern(one, pattern)
    }),
    otherDifferences: found.length - told.length,
    warnings: [
      ...more,
      ...sampleWarning(),
      ...leftOut(merged),
      ...warnings,
      ...(await unknownFields(logs, { query, range, signal })),
    ],
    empty: told.length > 0 ? null : await why(),
  }

  function ofPattern({ g: _, ...one }: FoundDifference, { id, text, members }: ReadPattern): Difference {
    const sample = samples.get(id)?.message ?? null
    return {
      ...one,
      value: cutWithEllipsis(text, MAX_VALUE_CHARACTERS),
      text: differenceText(one, JSON.stringify(oneShortLine(text, MAX_PATTERN_CHARACTERS))),
      sample: sample && cutWithEllipsis(sample, MAX_SAMPLE_CHARACTERS),
      query: searchOf(members)?.query ?? null,
    }
  }

  function sampleWarning(): Warning[] {
    if (fields.sampled === records && baseFields.sampled === baseRecords) return []
    const message = `Fields are compared in the newest ${withCommas(fields.sampled)} records of the window and the newest ${withCommas(baseFields.sampled)} of the base, patterns in all of them.`
    return [{ message }]
  }

  async function why(): Promise<string> {
    const [name, hole] = records === 0 ? ['window', range] : ['base', base]
    if (records > 0 && baseRecords > 0) {
      const counts = `${withCommas(records)} and ${counted(baseRecords, 'record')}`
      return `Nothing that stands out differs between the windows, of ${counts}. With more records smaller differences show: widen them.`
    }
    const emptiness = { range: hole, query: filter, environments: environmentOf(filter), publicUrl: parts.publicUrl }
    const reason = await whyEmpty(logs, { ...emptiness, signal })
    return `There is nothing to compare, because no record of the ${name} matches. ${reason}`
  }
}

/** The sample are the newest records, which came in a part of the time. */
function talliedFields({ sampled, fields }: FieldList, records: number, seconds: number): TalliedWindow {
  return {
    records: sampled,
    seconds: records === 0 ? seconds : (seconds * sampled) / records,
    fields: fields
      .filter(({ field }) => field.kind === 'attribute' || !NOT_COMPARED.includes(field.name))
      .map(({ field, values }) => ({
        field: nameOfField(field),
        isOurs: field.kind === 'core',
        values,
        isCut: values.length >= LISTING.maxValues,
      })),
    isCut: fields.length >= LISTING.maxFields,
  }
}

function mostTelling(found: readonly FoundDifference[]): FoundDifference[] {
  const ofField = new Map<string, number>()
  const told = found.toSorted(byTelling).filter(({ field }) => {
    const count = (ofField.get(field) ?? 0) + 1
    ofField.set(field, count)
    return count <= (field === PATTERN ? MAX_OF_PATTERNS : MAX_OF_A_FIELD)
  })
  return told.slice(0, MAX_DIFFERENCES)
}

function ofValue({ g: _, ...found }: FoundDifference): Difference {
  return { ...found, text: differenceText(found, nameWords(found.value)), sample: null, query: null }
}

function differenceText(found: Omit<FoundDifference, 'g'>, words: string): string {
  const { field, count, total, baseCount, baseTotal, change } = found
  const name = `${nameWords(field)} ${words} ${change}`
  const [some, all, baseSome, baseAll] = [count, total, baseCount, baseTotal].map(withCommas)
  if (change === 'appeared') return `${name}: ${some} of ${all} records, none of ${baseAll} in the base`
  if (change === 'vanished') return `${name}: none of ${all} records, ${baseSome} of ${baseAll} in the base`
  const [share, baseShare] = [shareWords(count / total), shareWords(baseCount / baseTotal)]
  return `${name} from ${baseShare} of the base (${baseSome} of ${baseAll}) to ${share} (${some} of ${all})`
}
