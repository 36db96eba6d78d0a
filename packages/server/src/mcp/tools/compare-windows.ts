import { type CompareAnswer, type CompareInput, compareAnswer, compareInput } from '@tidemark/wire/reading/compare'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import type { z } from 'zod'
import { given, pageOfLogs, patternCall, SEE_FIELDS, seeDeploy } from '../next-calls.ts'
import { filterArguments } from '../shared-arguments.ts'
import { countedIn, emptyFact, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, LINKS_LEFT_OUT, shortenText, wholeOrNone } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...compareAnswer.shape, warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

/** What is kept: characters of a sample and of a value, differences. */
type Step = { sample: number; text: number; differences: number }

/** Samples are shortened first, because the sentence has the pattern; the least telling differences go last. */
const STEPS: readonly Step[] = [
  { sample: ALL, text: ALL, differences: ALL },
  { sample: 200, text: ALL, differences: ALL },
  { sample: 80, text: 120, differences: ALL },
  ...[30, 20, 10, 5, 2, 0].map((differences) => ({ sample: 0, text: 100, differences })),
]

const { environment, from, to, query, service, level } = filterArguments

export const compareWindowsTool = defineTool({
  name: 'compare_windows',
  title: 'Compare two windows',
  description:
    'In what the records of a window differ from those of a base: values of fields and attributes, error types and message patterns that appeared, vanished, grew or shrank, most telling first. With deployId: after it against before it.',
  input: {
    environment,
    from,
    to,
    baseFrom: compareInput.shape.baseFrom.describe('default: just before, as long'),
    baseTo: compareInput.shape.baseTo,
    deployId: compareInput.shape.deployId.describe('dep_…, instead of times'),
    query,
    service,
    level,
  },
  output,
  untrusted: [
    ...['field', 'value', 'text', 'sample'].map((field) => `differences[].${field}`),
    'environment',
    'warnings[].message',
    'empty',
  ],
  example: { from: '-1h', baseFrom: '-25h', baseTo: '-24h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.compareWindows(caller, input, signal)
    return choose(STEPS, (step) => replyOf(input, answer, step)).reply
  },

  text({ window, baseWindow, records, baseRecords, differences, otherDifferences, empty, warnings: notes }) {
    return {
      facts: [
        `${windowFact(window)}, ${counted(records, 'record')}`,
        `Base: ${baseWindow.from} to ${baseWindow.to}, ${counted(baseRecords, 'record')}`,
        `${counted(differences.length, 'difference')}${otherDifferences > 0 ? ` and ${withCommas(otherDifferences)} less telling` : ''}`,
        ...emptyFact(empty, 'No difference was found.'),
      ],
      evidence: [...remarks(empty, notes), ...differences.flatMap(differenceLines)],
    }
  },
})

function differenceLines({ text, sample }: Answer['differences'][number]): string[] {
  return [onOneLine(text), ...(sample === null || sample === '' ? [] : [`  such as: ${onOneLine(sample)}`])]
}

function replyOf(input: CompareInput, answer: CompareAnswer, step: Step): Reply<Answer> {
  const kept = answer.differences.slice(0, step.differences)
  const left = answer.differences.length - kept.length
  return {
    answer: {
      ...answer,
      differences: kept.map((one) => ({
        ...one,
        field: shortenText(one.field, step.text),
        value: shortenText(one.value, step.text),
        sample: one.sample && (step.sample === 0 ? '' : shortenText(one.sample, step.sample)),
        query: wholeOrNone(one.query, step.text),
      })),
      otherDifferences: answer.otherDifferences + left,
      warnings: answer.warnings.map(({ message }) => ({ message })),
    },
    cut: [
      ...(step === STEPS[0] ? [] : [sampleNote(step)]),
      ...countedIn('otherDifferences', left, 'least telling difference'),
    ],
    next: nextCalls(input, answer),
    page: pageOfLogs(input, answer.window),
  }
}

function sampleNote({ sample }: Step): string {
  const samples = sample === 0 ? 'samples are left out' : `samples are shortened to ${sample} characters`
  return `To fit maxTokens, ${samples}, and ${LINKS_LEFT_OUT}.`
}

function nextCalls(input: CompareInput, { differences, window, baseWindow, records }: CompareAnswer): NextCall[] {
  const filter = given(input, 'baseFrom', 'baseTo', 'deployId', 'from', 'to')
  const why = 'records of the pattern that differs most'
  const calls = patternCall(input, differences, { window, baseWindow }, why)
  if (input.deployId !== undefined) calls.push(seeDeploy(input.deployId))
  if (records === 0) calls.push(SEE_FIELDS)
  else {
    const args = { ...filter, ...window, groupBy: ['level'], bucket: '60', compare: 'previous' }
    calls.push({ tool: 'count_logs', arguments: args, why: 'the window over time, against the one before' })
  }
  return calls
}
