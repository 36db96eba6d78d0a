/** Lists the fields that records of a window have, or the values of one. */
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
/**
 * In a larger window only the newest records are counted, unless the counts per minute suffice. A million records cost the
 * engine 0.1 s for all columns and 0.2 s for one attribute.
 */
const COUNTS_UP_TO = { ofColumns: 5_000_000, ofAttribute: 2_000_000 }

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
  const { name, prefix, contains, limit } = input
  const listing =
    name === undefined
      ? { maxFields: limit ?? DEFAULT_FIELDS, maxValues: VALUES_EACH }
      : { field: fieldNamed(name), maxFields: 1, maxValues: limit ?? DEFAULT_LIMIT }
  const { total, sampled, fields } = await logs.fields(
    { range, filter: query, signal },
    { ...listing, prefix, contains, countsUpTo: COUNTS_UP_TO },
  )
  return {
    window: usedWindow(range),
    fields: fields.map(toEntry),
    total,
    sampled,
    warnings: [...window.warnings, ...warnings],
    empty: fields.length > 0 ? null : await why(),
  }

  async function why(): Promise<string> {
    if (sampled === 0) return await whyEmpty(logs, { range, query, environments, publicUrl, signal })
    const conditions = [
      ...(prefix === undefined ? [] : [`begins with "${prefix}"`]),
      ...(contains === undefined ? [] : [`contains "${contains}"`]),
    ].join(' and ')
    const that = conditions === '' ? '' : ` that ${conditions}`
    const records = `${total === sampled ? '' : 'newest '}${counted(sampled, 'record')}`
    if (name === undefined) return `None of the ${records} has a field${that}.`
    return `None of the ${records} has a value of "${name}"${that} to list.`
  }
}

function toEntry({
  field,
  type,
  records,
  sampled,
  distinct,
  values,
  numbers,
}: FoundField): FieldsAnswer['fields'][number] {
  return {
    name: nameOfField(field),
    kind: field.kind === 'core' ? 'field' : 'attribute',
    type,
    coverage: sampled === 0 ? 0 : Math.round((records / sampled) * 1e4) / 1e4,
    sampled,
    distinct,
    values,
    ...(numbers && { numbers }),
  }
}
