import { type AnalysisAnswer, type AnalysisDetail, analysisDetail, analysisInput } from '@tidemark/wire/analysis'
import { countedPlainly } from '@tidemark/wire/counted'
import type { DeployCommits } from '@tidemark/wire/deploy'
import { onOneLine } from '@tidemark/wire/stranger-text'
import { z } from 'zod'
import { correlatedLines, ITEM_DETAILS, itemLines, showItem, UNTRUSTED_OF_ITEM } from '../text/analyses.ts'
import { causeLines, showStandout, showSuspect, suspectLines } from '../text/causes.ts'
import { deployLine, rowLine } from '../text/render.ts'
import { listedRow, listLogRow, showCommits, showDeploy } from '../text/rows.ts'
import { ALL, DETAILS, shortenText, TEXTS_SHORTENED } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = {
  analysis: analysisDetail.extend({
    samples: z.array(listedRow),
    before: analysisDetail.shape.before
      .unwrap()
      .extend({ rows: z.array(listedRow) })
      .nullable(),
  }),
}
type Answer = z.infer<z.ZodObject<typeof output>>
type Shown = Answer['analysis']

/** What is kept: places in DETAILS and ITEM_DETAILS, then how many of each list, characters of the raw stack. */
type Step = {
  row: number
  item: number
  samples: number
  before: number
  frames: number
  raw: number
  buckets: boolean
  values: number
  sentences: boolean
}

/** First the stack's second form goes, then rows are shortened, then what came before, frames and samples get fewer. */
const STEPS: readonly Step[] = [
  { row: 0, item: 0, samples: ALL, before: ALL, frames: ALL, raw: ALL, buckets: true, values: ALL, sentences: true },
  { row: 2, item: 0, samples: ALL, before: ALL, frames: ALL, raw: 4_000, buckets: true, values: 50, sentences: true },
  { row: 3, item: 1, samples: 5, before: 10, frames: 40, raw: 1_000, buckets: true, values: 20, sentences: true },
  { row: 4, item: 1, samples: 3, before: 10, frames: 20, raw: 0, buckets: true, values: 10, sentences: true },
  { row: 5, item: 1, samples: 3, before: 5, frames: 15, raw: 0, buckets: false, values: 10, sentences: true },
  { row: 6, item: 2, samples: 2, before: 3, frames: 10, raw: 0, buckets: false, values: 5, sentences: true },
  { row: 7, item: 2, samples: 1, before: 2, frames: 5, raw: 0, buckets: false, values: 3, sentences: false },
  { row: 7, item: 3, samples: 1, before: 0, frames: 3, raw: 0, buckets: false, values: 2, sentences: false },
  { row: 7, item: 3, samples: 0, before: 0, frames: 1, raw: 0, buckets: false, values: 1, sentences: false },
  { row: 7, item: 4, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
  { row: 7, item: 5, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
  { row: 7, item: 6, samples: 0, before: 0, frames: 0, raw: 0, buckets: false, values: 0, sentences: false },
]

export const getAnalysisTool = defineTool({
  name: 'get_analysis',
  title: 'Get an analysis',
  description:
    'All that was found out about one group of like errors: the likely cause with evidence for and against, suspect commits, what stands out, the correlated deploy, rates before and after it, stack, samples, what was logged just before, who is affected.',
  input: {
    id: analysisInput.shape.id.describe('ana_…, from list_analyses or a record'),
    include: analysisInput.shape.include.describe('only these parts'),
  },
  output,
  untrusted: [
    ...UNTRUSTED_OF_ITEM,
    'grouping',
    'error',
    'sentences',
    'course',
    'suspects',
    'suspectsReason',
    'standouts',
    'previousDeploy',
    'failedDeploys',
    'occurrences.deploys',
    'stack',
    'rawStack',
    'services',
    'hosts',
    'releases',
    'samples',
    'before',
    'recordsQuery',
  ].map((field) => `analysis.${field}`),
  example: { id: 'ana_0123456789abcdef0123456789abcdef' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.getAnalysis(caller, input, signal)
    return choose(STEPS, (step) => replyOf(answer, step)).reply
  },

  text({ analysis }) {
    const { id, state, activity, firstSeen, lastSeen, anchor, count, rates, stateChangedAt, likelyCause } = analysis
    return {
      facts: [
        `Analysis ${id}: ${state}${activity === 'quiet' ? ', quiet now' : ''}, ${countedPlainly(count, 'error')}, first ${firstSeen}, last ${lastSeen}, this episode since ${anchor}`,
        `Likely cause: ${likelyCause.kind}, ${likelyCause.confidence} confidence${likelyCause.deployId === null ? '' : `, ${likelyCause.deployId}`}`,
        ...(rates === null
          ? []
          : [
              `Before: ${rateFact(rates.before)}. After: ${rateFact(rates.after)}. It ${rates.existedBefore ? 'existed' : 'did not exist'} before.`,
            ]),
        ...(stateChangedAt === null ? [] : [`State last changed by a person: ${stateChangedAt}`]),
      ],
      evidence: evidenceLines(analysis),
    }
  },
})

function rateFact({ errors, records, perHour, from, to }: NonNullable<Shown['rates']>['before']): string {
  return `${errors} of ${countedPlainly(records, 'record')} (${perHour} an hour) from ${from} to ${to}`
}

function evidenceLines(analysis: Shown): string[] {
  const { error, stack, rawStack, samples, before, previousDeploy, failedDeploys, episodes } = analysis
  const parts: [string, string[]][] = [
    ['', itemLines(analysis).slice(0, 2)],
    ['', causeLines(analysis.likelyCause)],
    ['suspect commits', suspectLines(analysis)],
    ['what stands out', analysis.standouts.map(({ text }) => onOneLine(text))],
    ['course', [`since ${analysis.course.onset}: ${onOneLine(analysis.course.text)}`]],
    ['', correlatedLines(analysis)],
    ['error', error ? [`${error.type}: ${error.message}`] : []],
    ['affected', affectedLines(analysis)],
    ['deploy before the correlated one', previousDeploy ? [deployLine(previousDeploy)] : []],
    ['deploys that did not succeed just before', failedDeploys.map(deployLine)],
    ['stack', stack.length > 0 ? stack.flatMap(stackLines) : rawStack === '' ? [] : [rawStack]],
    ['newest records', samples.map(rowLine)],
    [`just before the newest, by ${before?.by}`, (before?.rows ?? []).map(rowLine)],
    ['over time', occurrenceLines(analysis)],
    ['episodes', episodes.length < 2 ? [] : episodes.map(episodeLine)],
    ['all of its records', analysis.recordsQuery === '' ? [] : [onOneLine(analysis.recordsQuery)]],
  ]
  return parts.flatMap(([name, lines]) =>
    lines.length === 0 ? [] : [...(name === '' ? [] : [`--- ${name}`]), ...lines],
  )
}

function affectedLines({ services, hosts, releases }: Shown): string[] {
  return Object.entries({ services, hosts, releases }).flatMap(([name, values]) => {
    const named = values.filter(({ value }) => value !== '')
    return named.length === 0
      ? []
      : [`${name}: ${named.map(({ value, count }) => `${onOneLine(value)} (${count})`).join(', ')}`]
  })
}

function stackLines({ type, message, frames }: Shown['stack'][number]): string[] {
  const head = [type, message]
    .filter((text) => text !== '')
    .map(onOneLine)
    .join(': ')
  return [
    ...(head === '' ? [] : [head]),
    ...frames.map(({ function: name, file, line, inApp }) => {
      const place = line === null ? file : `${file}:${line}`
      return `  ${inApp ? '*' : ' '} ${onOneLine(name)} (${onOneLine(place)})`
    }),
  ]
}

function occurrenceLines({ occurrences: { buckets, bucketSeconds, deploys } }: Shown): string[] {
  const counts = buckets.filter(({ count }) => count > 0).map(({ timestamp, count }) => `${timestamp} ${count}`)
  return [...(counts.length > 0 ? [`per ${bucketSeconds} s: ${counts.join(', ')}`] : []), ...deploys.map(deployLine)]
}

function episodeLine({ anchor, lastSeen, count, began }: Shown['episodes'][number]): string {
  const how = { first: 'the first', resolved: 'after it was resolved', quiet: 'after a quiet time' }[began]
  return `${anchor} to ${lastSeen}: ${countedPlainly(count, 'error')}, ${how}`
}

function replyOf({ analysis }: AnalysisAnswer, step: Step): Reply<Answer> {
  const shown = showAnalysis(analysis, step)
  return {
    answer: { analysis: shown },
    cut: step === STEPS[0] ? [] : cutNotes(analysis, shown),
    next: nextCalls(analysis).slice(0, step.item < ITEM_DETAILS.length - 1 ? ALL : 1),
    page: `analyses/${analysis.id}`,
  }
}

function showAnalysis(analysis: AnalysisDetail, step: Step): Shown {
  const detail = DETAILS[step.row] ?? null
  const item = ITEM_DETAILS[step.item] ?? ITEM_DETAILS[0]!
  const { samples, before, previousDeploy, failedDeploys, occurrences, error, rawStack, stack } = analysis
  const values = <Value extends { value: string }>(list: Value[]) =>
    list.slice(0, step.values).map((one) => ({ ...one, value: shortenText(one.value, item.name) }))
  const few = Math.max(1, Math.min(step.values, 100))
  const shown = showItem(analysis, item)
  return {
    ...shown,
    correlatedDeploy: shown.correlatedDeploy && {
      ...shown.correlatedDeploy,
      commits: step.values > 0 ? fewCommits(shown.correlatedDeploy.commits, step.values, item) : null,
    },
    suspects: analysis.suspects.slice(0, step.values).map((one) => showSuspect(one, item)),
    suspectsReason: analysis.suspectsReason && shortenText(analysis.suspectsReason, item.text),
    standouts: analysis.standouts.slice(0, step.values).map((one) => showStandout(one, item)),
    grouping: shortenText(analysis.grouping, item.text),
    error: error && { type: shortenText(error.type, item.name), message: shortenText(error.message, item.text) },
    sentences: step.sentences ? analysis.sentences : [],
    previousDeploy: previousDeploy && step.values > 0 ? showDeploy(previousDeploy, detail) : null,
    failedDeploys: step.values > 0 ? failedDeploys.slice(0, few).map((one) => showDeploy(one, detail)) : [],
    occurrences: {
      ...occurrences,
      buckets: step.buckets ? occurrences.buckets : [],
      deploys: step.buckets ? occurrences.deploys.slice(0, few).map((one) => showDeploy(one, detail)) : [],
    },
    stack: fewerFrames(stack, step.frames, item.text),
    rawStack:
      step.raw === 0 ? '' : shortenText(rawStack, stack.length > 0 ? Math.min(step.raw, rawStack.length) : step.raw),
    services: values(analysis.services),
    hosts: values(analysis.hosts),
    releases: values(analysis.releases),
    samples: samples.slice(0, step.samples).map((row) => listLogRow(row, detail)),
    before:
      before &&
      (step.before > 0
        ? { by: before.by, rows: before.rows.slice(-step.before).map((row) => listLogRow(row, detail)) }
        : null),
    course: { ...analysis.course, text: shortenText(analysis.course.text, item.text * 2) },
    episodes: analysis.episodes.slice(0, step.values > 0 ? few : 0),
    recordsQuery: step.values > 0 ? analysis.recordsQuery : '',
    stateChangedBy: analysis.stateChangedBy && shortenText(analysis.stateChangedBy, item.name),
  }
}

/** get_deploy lists them all. */
const MAX_COMMITS = 10

function fewCommits(
  commits: DeployCommits | null,
  most: number,
  { text, name }: (typeof ITEM_DETAILS)[number],
): DeployCommits | null {
  return commits && showCommits(commits, { commits: Math.min(most, MAX_COMMITS), paths: 3, title: text, name })
}

/** The program's own frames say most, so they are kept when only a few are. */
function fewerFrames(stack: AnalysisDetail['stack'], most: number, characters: number): AnalysisDetail['stack'] {
  if (most === ALL) return stack
  let left = most
  return stack.flatMap(({ type, message, frames }) => {
    if (left <= 0) return []
    const own = frames.filter(({ inApp }) => inApp)
    const kept = (frames.length <= left || own.length === 0 ? frames : own).slice(0, left)
    left -= Math.max(1, kept.length)
    const short = (text: string) => shortenText(text, Math.min(characters, 300))
    return [
      {
        type: short(type),
        message: short(message),
        frames: kept.map((frame) => ({ ...frame, function: short(frame.function), file: short(frame.file) })),
      },
    ]
  })
}

function cutNotes(whole: AnalysisDetail, shown: Shown): string[] {
  const frames = (stack: Shown['stack']) => stack.reduce((sum, one) => sum + one.frames.length, 0)
  const missing: [number, string][] = [
    [whole.samples.length - shown.samples.length, 'samples'],
    [(whole.before?.rows.length ?? 0) - (shown.before?.rows.length ?? 0), 'records just before'],
    [frames(whole.stack) - frames(shown.stack), 'frames'],
    [whole.occurrences.buckets.length - shown.occurrences.buckets.length, 'buckets'],
    [whole.episodes.length - shown.episodes.length, 'episodes'],
  ]
  const left = missing.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`)
  return [
    TEXTS_SHORTENED,
    ...(left.length > 0 ? [`Left out: ${left.join(', ')}. Ask for one part with include, or for more maxTokens.`] : []),
  ]
}

function nextCalls({ id, samples, correlatedDeploy, likelyCause }: AnalysisDetail): NextCall[] {
  const calls: NextCall[] = []
  if (likelyCause.deployId !== null) {
    calls.push({ tool: 'get_deploy', arguments: { id: likelyCause.deployId }, why: 'all commits that deploy brought' })
  }
  calls.push({ tool: 'list_logs', arguments: { analysisId: id }, why: 'its records, with deploys between' })
  const [newest] = samples
  if (newest) {
    const why = 'the newest record in full, and what happened around it'
    calls.push({ tool: 'get_log_context', arguments: { id: newest.id }, why })
  }
  calls.push(
    correlatedDeploy?.deployId
      ? {
          tool: 'list_analyses',
          arguments: { introducedBy: correlatedDeploy.deployId },
          why: 'what else began while that deploy ran',
        }
      : { tool: 'list_deploys', arguments: { from: '-30d' }, why: 'which deploys were recorded, and where' },
  )
  return calls
}
