import { type FieldsAnswer, type FieldsInput, fieldsAnswer, fieldsInput } from '@tidemark/wire/reading/fields'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { z } from 'zod'
import { QUERY_HELP } from '../guide.ts'
import { given, pageOfLogs } from '../next-calls.ts'
import { filterArguments, limitArgument, withDefaultFrom } from '../shared-arguments.ts'
import { emptyFact, leftOut, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, shortenText } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...fieldsAnswer.shape, queryHelp: z.array(z.string()), warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

/** Values of each field, characters of each value, fields. */
const STEPS = [
  { values: ALL, characters: ALL, fields: ALL },
  ...[
    [500, 200],
    [100, 100],
    [20, 80],
    [5, 60],
    [3, 40],
    [1, 40],
    [0, 0],
  ].map(([values = 0, characters = 0]) => ({ values, characters, fields: ALL })),
  ...[200, 100, 50, 25, 10, 3].map((fields) => ({ values: 0, characters: 0, fields })),
]

export const listFieldsTool = defineTool({
  name: 'list_fields',
  title: 'List fields',
  description:
    'Fields and attributes that records have, how often, and their top values; with name, the values of one field. Also explains the query language.',
  input: {
    ...filterArguments,
    name: fieldsInput.shape.name.describe('one field, for its values'),
    prefix: fieldsInput.shape.prefix.describe('fields, or values of name, that begin so'),
    contains: fieldsInput.shape.contains.describe('the same, that contain it'),
    ...limitArgument,
  },
  output,
  untrusted: ['fields[].name', 'fields[].values[].value', 'warnings[].message', 'empty'],
  example: { name: 'service', from: '-24h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.listFields(caller, withDefaultFrom(input), signal)
    return choose(STEPS, (step) => replyOf(input, answer, step)).reply
  },

  text({ window, fields, total, sampled, queryHelp, empty, warnings: notes }) {
    const records = `${total === sampled ? '' : 'the newest '}${counted(sampled, 'record')} of the window`
    return {
      facts: [
        windowFact(window),
        `${counted(fields.length, 'field')}, from ${records}`,
        ...emptyFact(empty, 'No field was found.'),
        ...queryHelp.map((line) => `Query: ${line}`),
      ],
      evidence: [...remarks(empty, notes), ...fields.map((field) => fieldLine(field, sampled))],
    }
  },
})

function fieldLine(field: Answer['fields'][number], sampled: number): string {
  const { name, kind, type, coverage, values, distinct, numbers } = field
  const top = values.map(({ value, count }) => `${onOneLine(value)} (${withCommas(count)})`).join(', ')
  const range =
    numbers &&
    `numbers from ${numbers.min} to ${numbers.max}, p50 ${numbers.p50}, p95 ${numbers.p95}, p99 ${numbers.p99}`
  const more = distinct > values.length && values.length > 0 ? `${withCommas(distinct - values.length)} more` : ''
  const about = [range ?? '', [top, more].filter(Boolean).join(', ')].filter(Boolean).join('; ')
  const of = field.sampled === sampled ? '' : ` of ${counted(field.sampled, 'record')}`
  return `${onOneLine(name)} ${kind} ${type} ${shareWords(coverage)}${of}${about === '' ? '' : `: ${about}`}`
}

function valuesWords({ values, characters }: (typeof STEPS)[number]): string {
  if (values === 0) return 'values are left out'
  return `at most ${counted(values, 'value')} of each field, of ${characters} characters, ${values === 1 ? 'is' : 'are'} shown`
}

function replyOf(input: FieldsInput, answer: FieldsAnswer, step: (typeof STEPS)[number]): Reply<Answer> {
  const { window, fields, total, sampled, warnings: notes, empty } = answer
  const kept = fields.slice(0, step.fields).map((field) => ({
    ...field,
    values: field.values
      .slice(0, step.values)
      .map(({ value, count }) => ({ value: shortenText(value, step.characters), count })),
  }))
  const cut = [
    ...(step.values === ALL ? [] : [`To fit maxTokens, ${valuesWords(step)}; ask for one field with name.`]),
    ...leftOut(fields.length - kept.length, { one: 'field', hint: 'narrow with prefix' }),
  ]
  const next: NextCall[] = []
  if (fields.length > 0 && input.name === undefined) {
    const args = { ...given(input), name: 'service' }
    next.push({ tool: 'list_fields', arguments: args, why: 'all values of one field' })
  }
  next.push({ tool: 'count_logs', arguments: { from: '-24h', groupBy: ['service', 'level'] }, why: 'how much of what' })
  return {
    answer: {
      window,
      fields: kept,
      total,
      sampled,
      queryHelp: [...QUERY_HELP],
      warnings: notes.map(({ message }) => ({ message })),
      empty,
    },
    cut,
    next,
    page: pageOfLogs(input, window),
  }
}
