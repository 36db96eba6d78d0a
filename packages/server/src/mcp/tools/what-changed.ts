import { causeLead, certaintyWords } from '@tidemark/wire/analyses/cause-words'
import { analysisPage, logsPage } from '@tidemark/wire/dashboard/address'
import { DEFAULT_LOOKBACK, MAX_LOOKBACK } from '@tidemark/wire/limits'
import { type ChangesAnswer, type ChangesInput, changesAnswer, changesInput } from '@tidemark/wire/reading/changes'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import type { z } from 'zod'
import { given } from '../next-calls.ts'
import { filterArguments, limitArgument } from '../shared-arguments.ts'
import { countedIn, emptyFact, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, LINKS_LEFT_OUT, shortenText, wholeOrNone } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...changesAnswer.shape, warnings }
type Answer = z.infer<z.ZodObject<typeof output>>
type Shown = Answer['changes'][number]

/** What is kept: characters of a title and of a reason, of values and of a query, changes. */
type Step = { text: number; value: number; changes: number }

/** Texts are shortened before changes go, and the least likely go first. */
const STEPS: readonly Step[] = [
  { text: ALL, value: ALL, changes: ALL },
  { text: 300, value: 200, changes: ALL },
  { text: 160, value: 80, changes: ALL },
  ...[50, 30, 20, 10, 5, 2, 0].map((changes) => ({ text: 120, value: 40, changes })),
]

const UNTRUSTED = ['title', 'reason', 'environment', 'service', 'sha', 'name', 'from', 'to', 'query'] as const

export const whatChangedTool = defineTool({
  name: 'what_changed',
  title: 'What changed',
  description:
    'What changed before a moment, or before the errors of an analysis (its likely cause first, then its rivals), most likely first: deploys of every status, settings and releases, new and gone messages, services, hosts, volumes, errors that began. Ask this first when something broke.',
  input: {
    at: changesInput.shape.at.describe('time; default now'),
    analysisId: changesInput.shape.analysisId.describe('ana_…, instead of at'),
    lookback: changesInput.shape.lookback
      .describe(`how far back, at most ${MAX_LOOKBACK}`)
      .meta({ default: DEFAULT_LOOKBACK }),
    environment: filterArguments.environment,
    ...limitArgument,
  },
  output,
  untrusted: [
    ...UNTRUSTED.map((field) => `changes[].${field}`),
    'environment',
    'likelyCause.title',
    'warnings[].message',
    'empty',
  ],
  example: { at: 'deploy:latest+30m', environment: 'production', lookback: '6h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.whatChanged(caller, input, signal)
    return choose(STEPS, (step) => replyOf(input, answer, step)).reply
  },

  text({ at, window, likelyCause, changes, otherChanges, empty, warnings: notes }) {
    return {
      facts: [
        `What changed before ${at}`,
        windowFact(window),
        ...(likelyCause === null
          ? []
          : [`${causeLead(likelyCause)}: ${certaintyWords(likelyCause) || likelyCause.title}`]),
        `${counted(changes.length, 'change')}${otherChanges > 0 ? ` and ${withCommas(otherChanges)} less likely` : ''}, most likely first`,
        ...emptyFact(empty, 'Nothing is known to have changed.'),
      ],
      evidence: [...remarks(empty, notes), ...changes.flatMap(changeLines)],
    }
  },
})

/** `0.95 deploy 4m before, 2026-01-31T11:56:00Z | Deploy of 4f2a9c1 to production dep_…` and the reason below it. */
function changeLines(change: Shown): string[] {
  const { score, kind, role, elapsedSeconds, timestamp, title, reason, deployId, analysisId } = change
  const side = elapsedSeconds < 0 ? 'after' : 'before'
  const when = `${formatElapsed(Math.abs(elapsedSeconds))} ${side}, ${timestamp}`
  const ids = [deployId, analysisId].filter((id) => id !== null).join(' ')
  const what = role === null ? kind : `${kind} (${role})`
  return [`${score} ${what} ${when} | ${onOneLine(title)}${ids === '' ? '' : ` ${ids}`}`, `  ${onOneLine(reason)}`]
}

function replyOf(input: ChangesInput, answer: ChangesAnswer, step: Step): Reply<Answer> {
  const { environment, likelyCause } = answer
  const kept = answer.changes.slice(0, step.changes)
  const left = answer.changes.length - kept.length
  return {
    answer: {
      ...answer,
      environment: environment && shortenText(environment, step.value),
      likelyCause: likelyCause && { ...likelyCause, title: shortenText(likelyCause.title, step.text) },
      changes: kept.map((one) => shown(one, step)),
      otherChanges: answer.otherChanges + left,
      warnings: answer.warnings.map(({ message }) => ({ message })),
    },
    cut: [
      ...(step === STEPS[0] ? [] : [shortenedNote(step)]),
      ...countedIn('otherChanges', left, 'least likely change'),
    ],
    next: nextCalls(input, answer),
    page:
      input.analysisId === undefined
        ? logsPage({ environment: input.environment, ...answer.window })
        : analysisPage(input.analysisId),
  }
}

function shortenedNote({ text }: Step): string {
  return `To fit maxTokens, titles and reasons are shortened to ${text} characters, and ${LINKS_LEFT_OUT}.`
}

function shown(change: Shown, { text, value }: Step): Shown {
  const short = (one: string | null) => one && shortenText(one, value)
  return {
    ...change,
    title: shortenText(change.title, text),
    reason: shortenText(change.reason, text),
    environment: short(change.environment),
    service: short(change.service),
    sha: short(change.sha),
    name: short(change.name),
    from: short(change.from),
    to: short(change.to),
    query: wholeOrNone(change.query, value * 2),
  }
}

/** Of ids and of our own words only: a sender's text stays out of calls. Each kind of call once, for the best of its kind. */
function nextCalls(input: ChangesInput, { changes, window }: ChangesAnswer): NextCall[] {
  const calls: NextCall[] = []
  const deploy = changes.find(({ deployId }) => deployId !== null)
  const analysisId = input.analysisId ?? changes.find((one) => one.analysisId !== null)?.analysisId
  const pattern = changes.find(({ kind, query }) => kind === 'pattern' && query !== null)
  if (deploy?.deployId) {
    calls.push({ tool: 'get_deploy', arguments: { id: deploy.deployId }, why: 'whether it did harm, and its commits' })
  }
  if (analysisId) {
    calls.push({ tool: 'get_analysis', arguments: { id: analysisId }, why: 'the errors with all evidence' })
  }
  const where = given({ environment: input.environment })
  if (pattern !== undefined) {
    calls.push({
      tool: 'list_logs',
      arguments: { ...where, query: pattern.query, ...window },
      why: 'the records of the first message',
    })
  }
  if (changes.length === 0) {
    calls.push({
      tool: 'what_changed',
      arguments: { ...given(input), lookback: MAX_LOOKBACK },
      why: 'look further back',
    })
  }
  calls.push({
    tool: 'list_log_patterns',
    arguments: { ...where, ...window, level: '>=warn' },
    why: 'what the records say in that time',
  })
  return calls
}
