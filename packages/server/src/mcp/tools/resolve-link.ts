import { analysisPage, deployPage, logsPage } from '@tidemark/wire/dashboard/address'
import { histogramQuestion, type LogsQuestion, logsQuestion } from '@tidemark/wire/dashboard/logs-question'
import { around, recordSearch, traceSearch } from '@tidemark/wire/dashboard/records-page'
import { logsSearch } from '@tidemark/wire/dashboard/search'
import { type LinkAnswer, type LinkPage, type LinkTarget, linkAnswer, linkInput } from '@tidemark/wire/reading/link'
import { withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { DAY_MS } from '@tidemark/wire/time/units'
import type { z } from 'zod'
import { RECENT_DAYS } from '../../verbs/links/find-named.ts'
import { given, seeDeploy } from '../next-calls.ts'
import { leftOut, warnings } from '../text/sentences.ts'
import { ALL, shortenRevision, shortenText, TEXTS_SHORTENED } from '../text/shorten.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

const output = { ...linkAnswer.shape, warnings }
type Answer = z.infer<z.ZodObject<typeof output>>

/** Characters of titles and of names, and how many things that were found. */
const STEPS = [
  { title: ALL, name: ALL, found: ALL },
  { title: 200, name: 255, found: ALL },
  { title: 80, name: 60, found: ALL },
  { title: 80, name: 40, found: 3 },
  { title: 40, name: 20, found: 1 },
]

export const resolveLinkTool = defineTool({
  name: 'resolve_link',
  title: 'Resolve a link',
  description:
    'What something pasted is, and the call that opens it: a dashboard URL, an id, a sha, a CI run, an external deploy id, a trace id, a stack or frame, an error title or a log line. Fetches nothing.',
  input: { ref: linkInput.shape.ref.describe('as pasted') },
  output,
  untrusted: ['title', 'environment', 'service', 'sha', 'author'].map((field) => `found[].${field}`),
  example: { ref: 'src/pay.ts:42' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.resolveLink(caller, input, signal)
    return choose(STEPS, (step) => replyOf(answer, step)).reply
  },

  text({ explanation, found, warnings }) {
    return { facts: [explanation, ...warnings.map(({ message }) => message)], evidence: found.map(targetLine) }
  },
})

/** `analysis new production checkout ×37, 2026-01-31T11:58:00Z to 2026-01-31T12:00:00Z | TypeError: x ana_…` */
function targetLine({ kind, id, title, state, environment, service, sha, author, count, ...seen }: LinkTarget): string {
  const head = [
    kind,
    state,
    environment,
    service,
    count === null ? null : `×${withCommas(count)}`,
    sha,
    author && `by ${author}`,
  ]
  const time = seen.firstSeen === null ? seen.lastSeen : `${seen.firstSeen} to ${seen.lastSeen}`
  const words = head.filter((word): word is string => Boolean(word)).map(onOneLine)
  return `${words.join(' ')}, ${time} | ${[onOneLine(title), id].filter(Boolean).join(' ')}`
}

function replyOf(answer: LinkAnswer, step: (typeof STEPS)[number]): Reply<Answer> {
  const cutName = (name: string | null) => name && shortenText(name, step.name)
  const found = answer.found.slice(0, step.found).map((one) => ({
    ...one,
    title: shortenText(one.title, step.title),
    ...{ environment: cutName(one.environment), service: cutName(one.service), author: cutName(one.author) },
    sha: one.sha && shortenRevision(one.sha, step.name),
  }))
  const left = answer.found.length - found.length
  return {
    answer: { ...answer, found, warnings: answer.warnings.map(({ message }) => ({ message })) },
    cut: [
      ...(step === STEPS[0] ? [] : [TEXTS_SHORTENED]),
      ...leftOut(left, { one: 'further match', many: 'further matches' }),
    ],
    next: nextCalls(answer),
    page: pageOfAnswer(answer),
  }
}

function nextCalls({ readAs, page, found, query }: LinkAnswer): NextCall[] {
  if (found.length === 1) return [...callsOf(found[0]!), ...(page?.name === 'logs' ? pageCalls(page) : [])]
  if (found.length > 1) return found.flatMap((one) => callsOf(one).slice(0, 1))
  if (page !== null) return pageCalls(page)
  if (readAs === 'text' || readAs === 'frame') {
    const all: NextCall = { tool: 'list_analyses', arguments: { from: '-30d' }, why: 'all that broke lately' }
    if (query === null) return [all]
    return [{ tool: 'list_logs', arguments: { query, from: '-30d' }, why: 'look further back' }, all]
  }
  return [{ tool: 'get_overview', arguments: {}, why: 'what this key can read' }]
}

function callsOf({ kind, id, analysisId, query, firstSeen, lastSeen }: LinkTarget): NextCall[] {
  const analysis: NextCall[] =
    analysisId === null
      ? []
      : [{ tool: 'get_analysis', arguments: { id: analysisId }, why: 'errors like it, and their likely cause' }]
  switch (kind) {
    case 'record':
      return [
        { tool: 'get_log_context', arguments: { id }, why: 'all of it, and what was logged around it' },
        ...analysis,
      ]
    case 'analysis':
      return [
        { tool: 'get_analysis', arguments: { id }, why: 'its likely cause and the evidence' },
        { tool: 'what_changed', arguments: { analysisId: id }, why: 'everything that changed before it' },
      ]
    case 'deploy':
      return [
        seeDeploy(id),
        { tool: 'list_analyses', arguments: { introducedBy: id }, why: 'errors that began while it ran' },
      ]
    case 'commit':
      return [{ tool: 'list_deploys', arguments: { from: lastSeen }, why: 'deploys since that commit' }]
    case 'trace':
      return [
        {
          tool: 'list_logs',
          arguments: { traceId: id, from: firstSeen ?? '-30d', order: 'oldest' },
          why: 'all that was logged for it, from its beginning',
        },
        ...analysis,
      ]
    case 'pattern':
    case 'text':
      return [
        { tool: 'list_logs', arguments: { query, from: `-${RECENT_DAYS}d` }, why: 'the records that say it' },
        {
          tool: 'count_logs',
          arguments: { query, from: `-${RECENT_DAYS}d`, bucket: '6h' },
          why: 'when they began',
        },
        ...analysis,
      ]
  }
}

function pageCalls(page: LinkPage): NextCall[] {
  const { name, ...asked } = page
  const question = given(asked)
  switch (name) {
    case 'overview':
      return [{ tool: 'get_overview', arguments: question, why: 'what the page shows' }]
    case 'logs':
    case 'patterns':
    case 'groups':
      return logsCalls(page)
    case 'analyses':
      return [{ tool: 'list_analyses', arguments: question, why: 'the analyses that the page shows' }]
    case 'deploys':
      return [{ tool: 'list_deploys', arguments: question, why: 'the deploys that the page shows' }]
    case 'analysis':
      return [{ tool: 'list_analyses', arguments: { from: '-30d' }, why: 'find it among the analyses' }]
    case 'deploy':
      return [{ tool: 'list_deploys', arguments: { from: '-30d' }, why: 'find it among the deploys' }]
    case 'settings':
      return [{ tool: 'list_projects', arguments: {}, why: 'what there is to read' }]
  }
}

/** What the page itself asks. */
function logsCalls({ name, ...filter }: LinkPage): NextCall[] {
  const { tool, asked } = logsQuestion(filter, logsSearch({ ...filter, view: name }))
  const shown: NextCall = { tool, arguments: given(asked), why: SHOWN_WORDS[tool] }
  if (tool !== 'list_logs') return [shown]
  return [shown, { tool: 'count_logs', arguments: given(histogramQuestion(filter)), why: 'its histogram' }]
}

const SHOWN_WORDS: Record<LogsQuestion['tool'], string> = {
  list_logs: 'the records that the page shows',
  list_log_patterns: 'the patterns that the page shows',
  count_logs: 'the groups that the page shows',
}

/** Of the first thing that was found, or where everything begins. */
function pageOfAnswer({ found: [first], page }: LinkAnswer): string {
  return (first && pageOfTarget(first)) ?? (page === null ? 'overview' : PLACES[page.name])
}

function pageOfTarget({ kind, id, query, firstSeen, lastSeen }: LinkTarget): string | null {
  switch (kind) {
    case 'analysis':
      return analysisPage(id)
    case 'deploy':
      return deployPage(id)
    case 'commit':
      return null
    case 'record':
      return logsPage(recordSearch({ id, timestamp: lastSeen }))
    case 'trace':
      return logsPage(traceSearch(id, around(firstSeen ?? lastSeen, lastSeen)))
    case 'pattern':
    case 'text':
      return query === null ? null : logsPage({ query, ...around(firstSeen ?? longBefore(lastSeen), lastSeen) })
  }
}

/** As far back as the calls for the same records go. */
function longBefore(time: string): string {
  return new Date(Date.parse(time) - RECENT_DAYS * DAY_MS).toISOString()
}

const PLACES: Record<LinkPage['name'], string> = {
  overview: 'overview',
  logs: 'logs',
  patterns: logsPage({ view: 'patterns' }),
  groups: logsPage({ view: 'groups' }),
  analyses: 'analyses',
  analysis: 'analyses',
  deploys: 'deploys',
  deploy: 'deploys',
  settings: 'settings',
}
