import { AT_LEAST_ERROR } from '@tidemark/wire/level'
import { type CountAnswer, type CountInput, countAnswer, countInput } from '@tidemark/wire/reading/count'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { z } from 'zod'
import { given, pageOfLogs, SEE_FIELDS } from '../next-calls.ts'
import { filterArguments, limitArgument, withDefaultFrom } from '../shared-arguments.ts'
import { rowLine } from '../text/render.ts'
import { listDeployRow, listedRow } from '../text/rows.ts'
import { countedIn, emptyFact, leftOut, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, DETAILS, LINKS_LEFT_OUT, shortenText } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...countAnswer.shape, deploys: z.array(listedRow), warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

export const countLogsTool = defineTool({
  name: 'count_logs',
  title: 'Count logs',
  description:
    'How many records match: in total, per group (groupBy), over time (bucket), against the window before (compare). With measure and of, groups and buckets also have distinct values, an average or percentiles of a field, highest first. Deploys of the window stand beside it. The cheapest way to see what is going on.',
  input: {
    ...filterArguments,
    groupBy: countInput.shape.groupBy.describe(
      'fields or attributes, or pattern for what messages say; the first splits the buckets',
    ),
    bucket: countInput.shape.bucket.describe('5m, 1h, 1d, or a number of buckets'),
    compare: countInput.shape.compare,
    measure: countInput.shape.measure,
    of: countInput.shape.of.describe('the field that is measured, such as duration_ms'),
    ...limitArgument,
  },
  output,
  untrusted: [
    'buckets[].by',
    'buckets[].measuredBy',
    'groups[].values',
    ...['environment', 'sha', 'ref', 'author', 'message', 'url'].map((field) => `deploys[].${field}`),
    'warnings[].message',
    'empty',
  ],
  example: { level: AT_LEAST_ERROR, groupBy: ['service'], bucket: '1h', from: '-24h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.countLogs(caller, withDefaultFrom(input), signal)
    return choose([...smallerAndSmaller(answer.buckets.length)], (step) => replyOf(input, answer, step)).reply
  },

  text({
    window,
    total,
    measured,
    bucketSeconds,
    buckets,
    groups,
    otherGroups,
    deploys,
    previous,
    empty,
    warnings: notes,
  }) {
    return {
      facts: [
        windowFact(window),
        `Total: ${withCommas(total)}${previous === null ? '' : ` (the window before, from ${previous.window.from}: ${withCommas(previous.total)})`}`,
        ...(measured === undefined ? [] : [`Measured: ${measured ?? 'no number'}`]),
        ...(bucketSeconds === null
          ? []
          : [`Buckets of ${formatElapsed(bucketSeconds)}: ${withCommas(buckets.length)}`]),
        ...(groups.length === 0
          ? []
          : [`Groups: ${withCommas(groups.length)}${otherGroups > 0 ? ` and ${withCommas(otherGroups)} more` : ''}`]),
        ...emptyFact(empty, 'No record matches.'),
      ],
      evidence: [
        ...remarks(empty, notes),
        ...groups.map(
          ({ values, count, measured: one }) =>
            `${one === undefined ? '' : `${one ?? 'no number'} of `}${count} ${values.map((value) => onOneLine(value ?? '(none)')).join(' | ')}`,
        ),
        ...buckets.filter(({ count }) => count > 0).map(bucketLine),
        ...deploys.map(rowLine),
      ],
    }
  },
})

function bucketLine({ timestamp, count, by, measured, measuredBy }: Answer['buckets'][number]): string {
  const parts = Object.entries(measuredBy ?? by).map(([value, one]) => `${onOneLine(value)}=${one}`)
  return `${timestamp} ${measured === undefined ? '' : `${measured ?? 'no number'} of `}${count}${parts.length === 0 ? '' : ` {${parts.join(' ')}}`}`
}

/** What is kept: characters of a value, buckets merged into one, groups, values that split a bucket. */
type Step = { characters: number; merged: number; groups: number; split: number }

/** Values are shortened, then neighbouring buckets are added up (exact, only coarser), then the smallest groups go. */
function* smallerAndSmaller(buckets: number): Generator<Step> {
  let step: Step = { characters: ALL, merged: 1, groups: ALL, split: ALL }
  yield step
  for (const characters of [200, 80, 40]) {
    step = { ...step, characters }
    yield step
  }
  for (const split of [10, 5]) {
    step = { ...step, split }
    yield step
  }
  while (buckets / step.merged > 24) {
    step = { ...step, merged: step.merged * 2 }
    yield step
  }
  for (const groups of [200, 100, 50, 25, 10, 5, 1]) {
    step = { ...step, groups, split: Math.min(step.split, groups) }
    yield step
  }
  while (buckets / step.merged > 4) {
    step = { ...step, merged: step.merged * 2, split: 0 }
    yield step
  }
}

function replyOf(input: CountInput, answer: CountAnswer, step: Step): Reply<Answer> {
  const groups = answer.groups.slice(0, step.groups).map((group) => ({
    ...group,
    values: group.values.map((value) => value && shortenText(value, step.characters)),
  }))
  const dropped = answer.groups.length - groups.length
  const isShortened = step.characters !== ALL
  const detail = isShortened ? (DETAILS.at(dropped > 0 ? -1 : -3) ?? null) : null
  const deploys = answer.deploys.slice(0, step.groups).map((row) => listDeployRow(row, detail))
  return {
    answer: {
      ...answer,
      bucketSeconds: answer.bucketSeconds && answer.bucketSeconds * step.merged,
      buckets: mergeBuckets(answer.buckets, step),
      groups,
      otherGroups: answer.otherGroups + dropped,
      deploys,
      warnings: answer.warnings.map(({ message }) => ({ message })),
    },
    cut: [
      ...(isShortened
        ? [`To fit maxTokens, values are shortened to ${step.characters} characters, and ${LINKS_LEFT_OUT}.`]
        : []),
      ...(step.merged > 1 ? [mergedWords(step.merged, answer)] : []),
      ...(step.split !== ALL && answer.buckets.length > 0 ? [splitWords(step.split)] : []),
      ...countedIn('otherGroups', dropped, 'smallest group'),
      ...leftOut(answer.deploys.length - deploys.length, { one: 'deploy', hint: 'see list_deploys' }),
    ],
    next: nextCalls(input, answer),
    page: pageOfLogs(input, answer.window),
  }
}

function splitWords(split: number): string {
  return split === 0 ? 'Buckets are not split.' : `Buckets show at most ${counted(split, 'value')} each, the largest.`
}

function mergedWords(merged: number, { measured }: CountAnswer): string {
  if (measured === undefined) return `Every ${merged} buckets were added up to one.`
  return `Every ${merged} buckets became one, with their records added up and the highest of what was measured.`
}

/** Counts are added up. Percentiles cannot be: the highest of the merged buckets stands for them. */
function mergeBuckets(buckets: CountAnswer['buckets'], step: Step): Answer['buckets'] {
  const result: Answer['buckets'] = []
  for (let start = 0; start < buckets.length; start += step.merged) {
    const parts = buckets.slice(start, start + step.merged)
    const [first] = parts
    result.push({
      timestamp: first?.timestamp ?? '',
      count: parts.reduce((sum, { count }) => sum + count, 0),
      by: largestOf(
        parts.map(({ by }) => by),
        (one, other) => one + other,
        step,
      ),
      ...(first?.measured === undefined ? {} : { measured: highest(parts.map(({ measured }) => measured)) }),
      ...(first?.measuredBy === undefined
        ? {}
        : {
            measuredBy: largestOf(
              parts.map((part) => part.measuredBy ?? {}),
              Math.max,
              step,
            ),
          }),
      ...(parts.every(({ measuredOthers }) => measuredOthers === undefined)
        ? {}
        : { measuredOthers: highest(parts.map(({ measuredOthers }) => measuredOthers)) }),
    })
  }
  return result
}

function largestOf(
  parts: readonly Record<string, number>[],
  join: (one: number, other: number) => number,
  { split, characters }: Step,
): Record<string, number> {
  const joined = new Map<string, number>()
  for (const part of parts) {
    for (const [value, number] of Object.entries(part)) {
      const before = joined.get(value)
      joined.set(value, before === undefined ? number : join(before, number))
    }
  }
  const largest = [...joined].sort(([, a], [, b]) => b - a).slice(0, split)
  const shown = new Map<string, number>()
  for (const [value, number] of largest) shown.set(apart(shortenText(value, characters), shown), number)
  return Object.fromEntries(shown)
}

/** Values that begin alike become the same text when they are shortened; each keeps its own count. */
function apart(value: string, taken: ReadonlyMap<string, number>): string {
  if (!taken.has(value)) return value
  let number = 2
  while (taken.has(`${value} #${number}`)) number++
  return `${value} #${number}`
}

function highest(numbers: readonly (number | null | undefined)[]): number | null {
  const known = numbers.filter((number) => typeof number === 'number')
  return known.length === 0 ? null : Math.max(...known)
}

function nextCalls(input: CountInput, { total, window }: CountAnswer): NextCall[] {
  const filter = given(input, 'groupBy', 'bucket', 'compare', 'measure', 'of', 'limit')
  if (total === 0) return [SEE_FIELDS]
  const calls: NextCall[] = [{ tool: 'list_logs', arguments: { ...filter, ...window }, why: 'the records themselves' }]
  if (input.bucket === undefined) {
    calls.push({ tool: 'count_logs', arguments: { ...given(input), bucket: '60' }, why: 'the same over time' })
  }
  if (input.groupBy === undefined) {
    const args = { ...given(input), groupBy: ['service', 'level'] }
    calls.push({ tool: 'count_logs', arguments: args, why: 'what it is made of' })
  }
  return calls
}
