import { isQuietNow, OVERVIEW_LISTS } from '@tidemark/wire/analyses/analysis-state'
import { causeHeadline } from '@tidemark/wire/analyses/cause-words'
import { mostPressing } from '@tidemark/wire/analyses/most-pressing'
import { overviewPage } from '@tidemark/wire/dashboard/address'
import { type OverviewAnswer, type OverviewInput, overviewAnswer } from '@tidemark/wire/reading/overview'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { z } from 'zod'
import { windowArguments } from '../shared-arguments.ts'
import { showDeploy, UNTRUSTED_OF_DEPLOY } from '../text/rows.ts'
import { emptyFact, leftOut, remarks, warnings, windowFact } from '../text/sentences.ts'
import { ALL, DETAILS, shortenText, TEXTS_SHORTENED } from '../text/shorten.ts'
import { judgedLines, reasonsNote, showReasons, UNTRUSTED_OF_ANALYSIS } from '../text/verdicts.ts'
import { defineTool, type NextCall, type Reply } from '../tool.ts'

/** Trends are for people, who see them drawn. */
const ANALYSIS = overviewAnswer.shape.newAnalyses.element.omit({ trend: true })
const SERVICE = overviewAnswer.shape.services.element.omit({ trend: true })
const DEPLOY = overviewAnswer.shape.deploys.element.omit({ before: true, after: true })
const { trendFrom: _, trendSeconds: __, ...shape } = overviewAnswer.shape
const output = {
  ...shape,
  services: z.array(SERVICE),
  newAnalyses: z.array(ANALYSIS),
  regressedAnalyses: z.array(ANALYSIS),
  spikingAnalyses: z.array(ANALYSIS),
  deploys: z.array(DEPLOY),
  /** How many there are, also of those that are left out. */
  silentTotal: z.int(),
  warnings,
}
type Answer = z.infer<z.ZodObject<typeof output>>

const WORDS = { newAnalyses: 'new', regressedAnalyses: 'came back', spikingAnalyses: 'spiked' }

/** What is kept: characters of titles and of names, analyses of each list, services, deploys, a place in DETAILS. */
type Step = { title: number; name: number; analyses: number; services: number; deploys: number; detail: number }

/** The least pressing of each list goes first. */
const STEPS: readonly Step[] = [
  { title: 400, name: ALL, analyses: ALL, services: ALL, deploys: ALL, detail: 3 },
  { title: 200, name: ALL, analyses: ALL, services: 10, deploys: ALL, detail: 5 },
  { title: 120, name: 100, analyses: 5, services: 5, deploys: 3, detail: 6 },
  { title: 80, name: 60, analyses: 3, services: 3, deploys: 2, detail: 7 },
  { title: 60, name: 40, analyses: 2, services: 2, deploys: 1, detail: 7 },
  { title: 40, name: 24, analyses: 1, services: 1, deploys: 0, detail: 7 },
  { title: 30, name: 16, analyses: 0, services: 0, deploys: 0, detail: 7 },
]

export const getOverviewTool = defineTool({
  name: 'get_overview',
  title: 'Get an overview',
  description:
    'What is wrong now, in one call: levels and services against the time before, analyses that are new, came back or spiked, each with its likely cause, the latest deploys with verdicts, services that fell silent. Start here.',
  input: windowArguments,
  output,
  untrusted: [
    ...OVERVIEW_LISTS.flatMap((list) => UNTRUSTED_OF_ANALYSIS.map((field) => `${list}[].${field}`)),
    ...UNTRUSTED_OF_DEPLOY.map((field) => `deploys[].${field}`),
    'deploys[].reasons',
    'services[].service',
    ...['service', 'environment'].map((field) => `silentServices[].${field}`),
    'environment',
    'warnings[].message',
    'empty',
  ],
  example: { environment: 'production', from: '-1h' },

  async run({ reading, caller, signal }, input, choose) {
    const answer = await reading.getOverview(caller, input, signal)
    return choose(STEPS, (step) => replyOf(input, answer, step)).reply
  },

  text({ window, baseWindow, records, baseRecords, levels, services, deploys, silentServices, empty, ...rest }) {
    return {
      facts: [
        `${windowFact(window)}, ${counted(records, 'record')}`,
        `Before: ${baseWindow.from} to ${baseWindow.to}, ${counted(baseRecords, 'record')}`,
        ...levels.map(
          ({ level, count, baseCount }) => `${level}: ${withCommas(count)}, before ${withCommas(baseCount)}`,
        ),
        `Analyses: ${countsWords(rest.states)}`,
        `Deploys of the window: ${countsWords(rest.deployVerdicts)}`,
        `${counted(rest.silentTotal, 'service')} fell silent`,
        ...emptyFact(empty, 'There are no records.'),
      ],
      evidence: [
        ...remarks(empty, rest.warnings),
        ...OVERVIEW_LISTS.flatMap((list) => section(WORDS[list], rest[list].map(analysisLine))),
        ...section('fell silent', silentServices.map(silentLine)),
        ...section('latest deploys', deploys.flatMap(judgedLines)),
        ...section('services, most errors first', services.map(serviceLine)),
      ],
    }
  },
})

function section(name: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`--- ${name}`, ...lines]
}

function countsWords(counts: Record<string, number>): string {
  const told = Object.entries(counts).filter(([, count]) => count > 0)
  return told.length === 0 ? 'none' : told.map(([name, count]) => `${withCommas(count)} ${name}`).join(', ')
}

/** `ana_… error ×37 production checkout, since 2026-01-31T11:58:00Z | TypeError: x | Deploy of 4f2a9c1 (deploy, high confidence)` */
function analysisLine(one: Answer['newAnalyses'][number]): string {
  const { id, level, count, environment, service, anchor, onset, title, likelyCause } = one
  const grew = onset === anchor ? '' : `, grew ${onset}`
  const place = [environment, service].filter((name) => name !== '').map(onOneLine)
  const cause = causeHeadline(likelyCause, onOneLine(likelyCause.title))
  return `${id} ${level} ×${withCommas(count)} ${place.join(' ')}, since ${anchor}${grew}${isQuietNow(one) ? ', quiet now' : ''} | ${onOneLine(title)} | ${cause}`
}

function silentLine({ service, environment, lastSeen, silentSeconds }: Answer['silentServices'][number]): string {
  return `${onOneLine(service)} in ${onOneLine(environment)} for ${formatElapsed(silentSeconds)}, since ${lastSeen}`
}

function serviceLine({ service, records, errors, baseRecords, baseErrors }: Answer['services'][number]): string {
  return `${service === '' ? '(no service)' : onOneLine(service)}: ${withCommas(errors)} of ${withCommas(records)} are errors, before ${withCommas(baseErrors)} of ${withCommas(baseRecords)}`
}

function replyOf(input: OverviewInput, answer: OverviewAnswer, step: Step): Reply<Answer> {
  const { window, baseWindow, environment, records, baseRecords, levels, states, deployVerdicts, empty } = answer
  const short = (text: string) => shortenText(text, step.name)
  const listed = (list: (typeof OVERVIEW_LISTS)[number]) =>
    answer[list].slice(0, step.analyses).map(({ trend: _, ...one }) => ({
      ...one,
      title: shortenText(one.title, step.title),
      environment: short(one.environment),
      service: short(one.service),
      likelyCause: { ...one.likelyCause, title: shortenText(one.likelyCause.title, step.title) },
    }))
  const shown: Answer = {
    ...{ window, baseWindow, records, baseRecords, levels, states, deployVerdicts },
    environment: environment && short(environment),
    services: answer.services
      .slice(0, step.services)
      .map(({ trend: _, ...one }) => ({ ...one, service: short(one.service) })),
    newAnalyses: listed('newAnalyses'),
    regressedAnalyses: listed('regressedAnalyses'),
    spikingAnalyses: listed('spikingAnalyses'),
    deploys: answer.deploys.slice(0, step.deploys).map(({ before: _, after: __, reasons, ...deploy }) => ({
      ...deploy,
      ...showDeploy(deploy, DETAILS[step.detail] ?? null),
      reasons: showReasons(reasons, { most: 1, characters: 2 * step.title }),
    })),
    silentServices: answer.silentServices
      .slice(0, 2 * step.services)
      .map((one) => ({ ...one, service: short(one.service), environment: short(one.environment) })),
    silentTotal: answer.silentServices.length,
    warnings: answer.warnings.map(({ message }) => ({ message })),
    empty: empty && shortenText(empty, Math.max(200, step.title)),
  }
  return {
    answer: shown,
    cut: [...(step === STEPS[0] ? [] : [TEXTS_SHORTENED]), ...cutNotes(answer, shown)],
    next: nextCalls(input, answer),
    page: overviewPage({ environment: input.environment, ...window }),
  }
}

function cutNotes(whole: OverviewAnswer, shown: Answer): string[] {
  const left = (...lists: ((typeof OVERVIEW_LISTS)[number] | 'deploys' | 'services' | 'silentServices')[]) =>
    lists.reduce((sum, list) => sum + whole[list].length - shown[list].length, 0)
  return [
    ...leftOut(left(...OVERVIEW_LISTS), { one: 'analysis', many: 'analyses', hint: 'see list_analyses' }),
    ...leftOut(left('deploys'), { one: 'deploy', hint: 'see list_deploys' }),
    ...leftOut(left('services'), { one: 'service', hint: 'see count_logs' }),
    ...leftOut(left('silentServices'), { one: 'silent service', hint: 'see what_changed' }),
    ...reasonsNote(whole.deploys, shown.deploys),
  ]
}

/** A sender's names stay out of the calls. */
function nextCalls(input: OverviewInput, answer: OverviewAnswer): NextCall[] {
  const { deploys, silentServices, window, empty } = answer
  const accused = deploys.find(({ verdict }) => verdict === 'bad' || verdict === 'suspect')
  const asked = { ...(input.environment === undefined ? {} : { environment: input.environment }) }
  const calls: NextCall[] = mostPressing(
    OVERVIEW_LISTS.flatMap((list) => answer[list]),
    answer,
  ).map(({ id, onset, anchor }) => {
    const seconds = (Date.parse(window.to) - Date.parse(onset)) / 1_000
    const when =
      seconds < 0 ? '' : `; it ${onset === anchor ? 'began' : 'grew'} ${formatElapsed(seconds)} before the end`
    return { tool: 'get_analysis', arguments: { id }, why: `its cause and evidence${when}` }
  })
  if (accused) calls.push({ tool: 'get_deploy', arguments: { id: accused.id }, why: `why it is ${accused.verdict}` })
  if (silentServices.length > 0) {
    const args = { ...asked, ...window, groupBy: ['service'], bucket: '24' }
    calls.push({ tool: 'count_logs', arguments: args, why: 'when the services fell silent' })
  }
  if (empty !== null) calls.push({ tool: 'list_projects', arguments: {}, why: 'when the last record came' })
  else if (calls.length === 0) {
    calls.push({ tool: 'list_analyses', arguments: { ...asked, ...window }, why: 'analyses that only go on' })
  }
  return calls
}
