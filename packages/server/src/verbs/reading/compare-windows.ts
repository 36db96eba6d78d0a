/** In what two windows of records differ: values of fields and attributes, and patterns of messages. */
import type { CompareAnswer, CompareInput, Difference } from '@tidemark/wire/compare'
import { countedPlainly } from '@tidemark/wire/counted'
import type { Query } from '@tidemark/wire/query/ast'
import { environmentOf } from '@tidemark/wire/query/environment-of'
import type { Warning } from '@tidemark/wire/reading'
import {
  byTelling,
  differencesOf,
  type FoundDifference,
  type TalliedWindow,
} from '../../analysis/compare/differences.ts'
import { equals } from '../../analysis/group/records-query.ts'
import { patternOf } from '../../analysis/pattern/pattern.ts'
import { nameWords } from '../../analysis/words.ts'
import type { FieldList, Groups, ProjectLogs, Selection } from '../../logstore/log-store.ts'
import type { Caller } from '../../model/caller.ts'
import { cutWithEllipsis } from '../../model/cut-text.ts'
import type { TimeRange } from '../../model/time-range.ts'
import { requireReader } from '../access.ts'
import { comparedSpans } from './compare-windows-spans.ts'
import { fieldNamed, logFilter, nameOfField, unknownFields } from './log-filter.ts'
import { narrowed } from './narrowing.ts'
import type { ReadingParts } from './reading-parts.ts'
import { whyEmpty } from './why-empty.ts'
import { usedWindow } from './window.ts'

/** Rarer fields, and rarer values of a field, are not compared. */
const LISTING = { maxFields: 200, maxValues: 500 }
const MAX_PATTERNS = 5_000
const MAX_DIFFERENCES = 50
/** Of one field: a hundred hosts that were replaced are no hundred findings. */
const MAX_OF_A_FIELD = 5
/** Each needs a message to be readable, which is a question of its own. */
const MAX_OF_PATTERNS = 10
const MAX_SAMPLE_CHARACTERS = 1_000
const MAX_PATTERN_CHARACTERS = 160
const PATTERN = 'pattern'
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
  const { range, base, terms, warnings: more } = await comparedSpans(parts, project, input)
  const filter = narrowed(query, { terms })
  const logs = parts.logStore.project(project.id)
  const nowUs = parts.now() * 1_000
  const [now, before] = await Promise.all(
    [range, base].map((one) => lookInto(logs, { range: one, filter, signal }, nowUs)) as [Promise<Look>, Promise<Look>],
  )
  const found = [...differencesOf(now.fields, before.fields), ...differencesOf(now.patterns, before.patterns)]
  const told = mostTelling(found)
  const samples = await sampleMessages(logs, told, { range, base, filter, signal })
  return {
    window: usedWindow(range),
    baseWindow: usedWindow(base),
    records: now.records,
    baseRecords: before.records,
    sampled: now.fields.records,
    baseSampled: before.fields.records,
    differences: told.map((one) => toDifference(one, samples.get(one.value) ?? null)),
    otherDifferences: found.length - told.length,
    warnings: [
      ...more,
      ...sampleWarning(now, before),
      ...warnings,
      ...(await unknownFields(logs, { query, range, signal })),
    ],
    empty: told.length > 0 ? null : await why(),
  }

  async function why(): Promise<string> {
    const [name, hole] = now.records === 0 ? ['window', range] : ['base', base]
    if (now.records > 0 && before.records > 0) {
      const counts = `${now.records} and ${countedPlainly(before.records, 'record')}`
      return `Nothing that stands out differs between the windows, of ${counts}. With more records smaller differences show: widen them.`
    }
    const emptiness = { range: hole, query: filter, environments: environmentOf(filter), publicUrl: parts.publicUrl }
    const reason = await whyEmpty(logs, { ...emptiness, signal })
    return `There is nothing to compare, because no record of the ${name} matches. ${reason}`
  }
}

type Look = { records: number; fields: TalliedWindow; patterns: TalliedWindow }

function sampleWarning(now: Look, base: Look): Warning[] {
  if (now.fields.records === now.records && base.fields.records === base.records) return []
  const message = `Fields are compared in the newest ${now.fields.records} records of the window and the newest ${base.fields.records} of the base, patterns in all of them.`
  return [{ message }]
}

async function lookInto(logs: ProjectLogs, selection: Selection, nowUs: number): Promise<Look> {
  const [list, groups] = await Promise.all([
    logs.fields(selection, LISTING),
    logs.groups(selection, { fields: [fieldNamed(PATTERN)], limit: MAX_PATTERNS }),
  ])
  const { fromUs, toUs } = selection.range
  const seconds = Math.max(1, (Math.min(toUs, nowUs) - fromUs) / 1e6)
  // The sample are the newest records, which came in a part of the time.
  const sampleSeconds = groups.total === 0 ? seconds : (seconds * list.sampled) / groups.total
  return {
    records: groups.total,
    fields: { ...talliedFields(list), seconds: sampleSeconds },
    patterns: { ...talliedPatterns(groups), seconds },
  }
}

type Tallied = Omit<TalliedWindow, 'seconds'>

function talliedFields({ sampled, fields }: FieldList): Tallied {
  return {
    records: sampled,
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

function talliedPatterns({ largest, groups, total }: Groups): Tallied {
  const values = largest.flatMap(({ values: [value], count }) => (value ? [{ value, count }] : []))
  return {
    records: total,
    fields: [{ field: PATTERN, isOurs: true, values, isCut: groups > largest.length }],
    isCut: false,
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

type Samples = { range: TimeRange; base: TimeRange; filter: Query; signal?: AbortSignal | undefined }

/** By pattern, the newest message where there are any: a pattern itself is only a number. */
async function sampleMessages(
  logs: Pick<ProjectLogs, 'search'>,
  told: readonly FoundDifference[],
  { range, base, filter, signal }: Samples,
): Promise<Map<string, string>> {
  const patterns = told.filter(({ field }) => field === PATTERN)
  const found = await Promise.all(
    patterns.map(async ({ value, count }) => {
      const terms = [equals(PATTERN, value)]
      const where = { range: count > 0 ? range : base, filter: narrowed(filter, { terms }), signal }
      const { records } = await logs.search({ ...where, order: 'newest', limit: 1 })
      return records.map(({ message }): [string, string] => [value, cutWithEllipsis(message, MAX_SAMPLE_CHARACTERS)])
    }),
  )
  return new Map(found.flat())
}

function toDifference({ g: _, ...found }: FoundDifference, message: string | null): Difference {
  const sample = found.field === PATTERN ? message : null
  return { ...found, text: differenceText(found, sample), sample }
}

function differenceText(found: Omit<FoundDifference, 'g'>, sample: string | null): string {
  const { field, value, count, total, baseCount, baseTotal, change } = found
  const words = sample === null ? nameWords(value) : patternWords(sample)
  const name = `${nameWords(field)} ${words} ${change}`
  if (change === 'appeared') return `${name}: ${count} of ${total} records, none of ${baseTotal} in the base`
  if (change === 'vanished') return `${name}: none of ${total} records, ${baseCount} of ${baseTotal} in the base`
  const [share, baseShare] = [percentWords(count / total), percentWords(baseCount / baseTotal)]
  return `${name} from ${baseShare} of the base (${baseCount} of ${baseTotal}) to ${share} (${count} of ${total})`
}

function patternWords(message: string): string {
  const line = patternOf(message).text.replace(/[\s\p{Cc}]+/gu, ' ')
  return JSON.stringify(cutWithEllipsis(line, MAX_PATTERN_CHARACTERS))
}

function percentWords(share: number): string {
  const percent = share * 100
  if (percent < 0.1) return 'under 0.1 %'
  return `${percent < 10 ? percent.toFixed(1).replace(/\.0$/, '') : Math.round(percent)} %`
}
