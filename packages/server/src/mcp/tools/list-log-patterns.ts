import { type PatternsAnswer, type PatternsInput, patternsAnswer, patternsInput } from '@tidemark/wire/reading/patterns'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { windowBefore } from '@tidemark/wire/time/window-before'
import type { z } from 'zod'
import { given, pageOfLogs, patternCall, SEE_FIELDS, seeDeploy } from '../next-calls.ts'
import { filterArguments, limitArgument } from '../shared-arguments.ts'
import { countedIn, emptyFact, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, LINKS_LEFT_OUT, shortenText, wholeOrNone } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...patternsAnswer.shape, warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

/** What is kept: characters of a sample, of a pattern, of a query; whether the trend is; patterns. */
type Step = { sample: number; text: number; query: number; hasTrend: boolean; patterns: number }

/** A sample says what the pattern says; the least telling patterns go last. */
const STEPS: readonly Step[] = [
  { sample: ALL, text: ALL, query: ALL, hasTrend: true, patterns: ALL },
  { sample: 200, text: ALL, query: ALL, hasTrend: true, patterns: ALL },
  { sample: 80, text: 200, query: ALL, hasTrend: true, patterns: ALL },
  { sample: 0, text: 160, query: 400, hasTrend: true, patterns: ALL },
  ...[ALL, 200, 100, 50, 30, 20, 10, 5, 2, 0].map((patterns) => ({
    ...{ sample: 0, text: 120, query: 200, hasTrend: false },
    patterns,
  })),
]

const { environment, from, to, query, service, level } = filterArguments

export const listLogPatternsTool = defineTool({
  name: 'list_log_patterns',
  title: 'List log patterns',
  description:
    'What the matching records say: message patterns (<*> varies) with count, share and trend, of all of them. With compare, compareFrom/compareTo or deployId also which are new, grown, gone or shrunk, new errors first. firstSeen is within the window. query finds the records of a pattern.',
  input: {
    environment,
    from,
    to,
    query,
    service,
    level,
    compare: patternsInput.shape.compare.describe('with the time before, as long'),
    compareFrom: patternsInput.shape.compareFrom.describe('base window'),
    compareTo: patternsInput.shape.compareTo,
    deployId: patternsInput.shape.deployId.describe('dep_…, instead of times: after it against before'),
    ...limitArgument,
  },
  output,
  untrusted: [
    ...['pattern', 'sample', 'services'].map((field) => `patterns[].${field}`),
    'environment',
    'warnings[].message',
    'empty',
  ],
  example: { level: '>=warn', from: '-1h', compareFrom: '-25h', compareTo: '-24h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.listLogPatterns(caller, input, signal)
    return choose(STEPS, (step) => replyOf(input, answer, step)).reply
  },

  text({ window, baseWindow, records, baseRecords, patterns, otherPatterns, empty, warnings: notes }) {
    return {
      facts: [
        `${windowFact(window)}, ${counted(records, 'record')}`,
        ...(baseWindow === null
          ? []
          : [`Base: ${baseWindow.from} to ${baseWindow.to}, ${counted(baseRecords ?? 0, 'record')}`]),
        `${counted(patterns.length, 'pattern')}${otherPatterns > 0 ? ` and ${withCommas(otherPatterns)} more` : ''}`,
        ...emptyFact(empty, 'There is no pattern.'),
      ],
      evidence: [...remarks(empty, notes), ...patterns.map(patternLine)],
    }
  },
})

/** `8 (2.1 %) new, base 0 | order <*> shipped` */
function patternLine({ count, share, state, baseCount, pattern }: Answer['patterns'][number]): string {
  const change = [state, baseCount === null ? null : `base ${withCommas(baseCount)}`]
    .filter((part) => part !== null)
    .join(', ')
  return `${withCommas(count)} (${shareWords(share)}) ${change === '' ? '' : `${change} `}| ${onOneLine(pattern)}`
}

function replyOf(input: PatternsInput, answer: PatternsAnswer, step: Step): Reply<Answer> {
  const kept = answer.patterns.slice(0, step.patterns)
  const dropped = answer.patterns.slice(step.patterns)
  return {
    answer: {
      ...answer,
      patterns: kept.map((one) => ({
        ...one,
        pattern: shortenText(one.pattern, step.text),
        trend: step.hasTrend ? one.trend : [],
        query: wholeOrNone(one.query, step.query),
        sample: one.sample && (step.sample === 0 ? null : shortenText(one.sample, step.sample)),
      })),
      otherPatterns: answer.otherPatterns + dropped.length,
      otherRecords: answer.otherRecords + dropped.reduce((sum, { count }) => sum + count, 0),
      warnings: answer.warnings.map(({ message }) => ({ message })),
    },
    cut: [...(step === STEPS[0] ? [] : [cutNote(step)]), ...countedIn('otherPatterns', dropped.length, 'last pattern')],
    next: nextCalls(input, answer),
    page: pageOfLogs(input, answer.window),
  }
}

function cutNote({ sample, hasTrend }: Step): string {
  const left = hasTrend ? 'samples' : 'samples and trends'
  const samples = sample === 0 ? `${left} are left out` : `samples are shortened to ${sample} characters`
  return `To fit maxTokens, ${samples}, and ${LINKS_LEFT_OUT}.`
}

function nextCalls(input: PatternsInput, { patterns, window, baseWindow }: PatternsAnswer): NextCall[] {
  const calls = patternCall(input, patterns, { window, baseWindow }, 'the records of the first pattern')
  if (patterns.length === 0) calls.push(SEE_FIELDS)
  else if (baseWindow === null) {
    const before = windowBefore(window)
    const args = { ...given(input, 'from', 'to'), ...window, compareFrom: before.from, compareTo: before.to }
    calls.push({ tool: 'list_log_patterns', arguments: args, why: 'what is new against the time before' })
  }
  if (input.deployId !== undefined) calls.push(seeDeploy(input.deployId))
  return calls
}
