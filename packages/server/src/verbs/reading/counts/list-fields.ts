/** The fields that records of a window have, or the values of one. */
import { fieldNamed, nameOfField } from '@tidemark/wire/query/fields'
import type { FieldsAnswer, FieldsInput } from '@tidemark/wire/reading/fields'
import { DEFAULT_LIMIT } from '@tidemark/wire/reading/question'
import { counted } from '@tidemark/wire/text/counted'
import type { FoundField } from '../../../logstore/questions.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireReader } from '../../access.ts'
import { logFilter } from '../log-filter.ts'
import type { ReadingParts } from '../reading-parts.ts'
import { whyEmpty } from '../why-empty.ts'
import { resolveWindow, usedWindow, windowParts } from '../window.ts'

const DEFAULT_FIELDS = 100
const VALUES_EACH = 5

export async function listFields(
  { control, logStore, publicUrl, now }: ReadingParts,
  caller: Caller,
  input: FieldsInput,
  signal?: AbortSignal,
): Promise<FieldsAnswer> {
  const project = requireReader(caller)
  const { query, environments, warnings } = logFilter(input)
  const window = await resolveWindow(input, windowParts({ control, now }, project))
  const range = { fromUs: window.fromUs, toUs: window.toUs }
  const logs = logStore.project(project.id)
  const { name, prefix, limit } = input
  const listing =
    name === undefined
      ? { prefix, maxFields: limit ?? DEFAULT_FIELDS, maxValues: VALUES_EACH }
      : { prefix, field: fieldNamed(name), maxFields: 1, maxValues: limit ?? DEFAULT_LIMIT }
  const { sampled, fields } = await logs.fields({ range, filter: query, signal }, listing)
  return {
    window: usedWindow(range),
    fields: fields.map((field) => toEntry(field, sampled)),
    sampled,
    warnings: [...window.warnings, ...warnings],
    empty: fields.length > 0 ? null : await why(),
  }

  async function why(): Promise<string> {
    if (sampled === 0) return await whyEmpty(logs, { range, query, environments, publicUrl, signal })
    const begins = prefix === undefined ? '' : ` that begins with "${prefix}"`
    if (name === undefined) return `None of the newest ${counted(sampled, 'record')} has a field${begins}.`
    return `None of the newest ${counted(sampled, 'record')} has a value of "${name}"${begins} to list.`
  }
}

function toEntry(
  { field, type, records, values, numbers }: FoundField,
  sampled: number,
): FieldsAnswer['fields'][number] {
  return {
    name: nameOfField(field),
    kind: field.kind === 'core' ? 'field' : 'attribute',
    type,
    coverage: sampled === 0 ? 0 : Math.round((records / sampled) * 1e4) / 1e4,
    values,
    ...(numbers && { numbers }),
  }
}
