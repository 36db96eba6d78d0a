/** Analyses as the tools show them, shortened step by step. The correlated deploy is never left out. */

import type { AnalysisItem, CorrelatedDeploy } from '@tidemark/wire/analyses/analysis'
import { isQuietNow } from '@tidemark/wire/analyses/analysis-state'
import { anchorWords } from '@tidemark/wire/analyses/correlated-words'
import { isCorrelatedCause } from '@tidemark/wire/analyses/is-correlated-cause'
import type { BriefNotes } from '@tidemark/wire/analyses/notes'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { onOneLine } from '@tidemark/wire/text/stranger-text'
import { formatElapsed } from '@tidemark/wire/time/elapsed'
import { shortCauseLines, showCause } from './causes.ts'
import { ALL, LINKS_LEFT_OUT, shortenRevision, shortenText, wholeOrNone } from './shorten.ts'

/** What is kept: characters of titles and other texts, of names, sentences of evidence on each side, the trend. */
export type ItemDetail = { text: number; name: number; evidence: number; trend: boolean }

export const ITEM_DETAILS: readonly ItemDetail[] = [
  { text: ALL, name: ALL, evidence: ALL, trend: true },
  { text: 1_000, name: ALL, evidence: ALL, trend: false },
  { text: 300, name: ALL, evidence: 2, trend: false },
  { text: 160, name: 100, evidence: 1, trend: false },
  { text: 120, name: 60, evidence: 0, trend: false },
  { text: 60, name: 30, evidence: 0, trend: false },
  { text: 16, name: 12, evidence: 0, trend: false },
]

export function itemNote({ text, name, evidence, trend }: ItemDetail): string[] {
  if (trend) return []
  const kept = [
    `texts are shortened to ${withCommas(text)} characters`,
    LINKS_LEFT_OUT,
    ...(evidence === ALL ? [] : [evidenceNote(evidence)]),
    ...(name > LEAST_NAME ? [] : ['notes of people are left out']),
  ]
  return [`To fit maxTokens, ${[...kept, 'trends are left out'].join(', ')}; get_analysis shows all of one.`]
}

function evidenceNote(evidence: number): string {
  if (evidence === 0) return 'evidence and rival causes are left out'
  const sentences = counted(evidence, 'sentence')
  return `at most ${sentences} of evidence each way and ${counted(evidence, 'rival cause')} are shown`
}

export function showItem<Item extends AnalysisItem>(item: Item, detail: ItemDetail): Item {
  const { text, name, trend } = detail
  return {
    ...item,
    title: shortenText(item.title, text),
    type: shortenText(item.type, name),
    environment: shortenText(item.environment, name),
    service: shortenText(item.service, name),
    where: shortenText(item.where, text),
    summary: shortenText(item.summary, text * 3),
    likelyCause: showCause(item.likelyCause, detail),
    correlatedDeploy: item.correlatedDeploy && showCorrelated(item.correlatedDeploy, detail),
    correlatedDeployReason: item.correlatedDeployReason && shortenText(item.correlatedDeployReason, text * 2),
    trend: trend ? item.trend : [],
    notes: item.notes && name > LEAST_NAME ? showNotes(item.notes, detail) : null,
  }
}

/** Where names are as short as can be, there is no room for what people noted. */
const LEAST_NAME = 12

function showNotes(notes: BriefNotes, { text, name }: ItemDetail): BriefNotes {
  const { assignee, ticket } = notes
  return { ...notes, assignee: assignee && shortenText(assignee, name), ticket: wholeOrNone(ticket, text) }
}

function showCorrelated(deploy: CorrelatedDeploy, { text, name, evidence }: ItemDetail): CorrelatedDeploy {
  const { message, url, ref, author } = deploy
  return {
    ...deploy,
    sha: shortenRevision(deploy.sha, name),
    ref: ref && shortenText(ref, name),
    environment: shortenText(deploy.environment, name),
    author: author && shortenText(author, name),
    message: message && shortenText(message, text),
    url: wholeOrNone(url, text),
    evidenceFor: deploy.evidenceFor.slice(0, evidence),
    evidenceAgainst: deploy.evidenceAgainst.slice(0, evidence),
  }
}

/** `ana_… new error ×132 production checkout, first … last … | TypeError: x is undefined in pay (pay.ts)` and what was found. */
export function itemLines(item: AnalysisItem): string[] {
  const { id, state, level, count, environment, service, firstSeen, lastSeen, title, where } = item
  const place = [environment, service].filter((name) => name !== '').map(onOneLine)
  const at = where === '' ? '' : ` in ${onOneLine(where)}`
  const now = isQuietNow(item) ? `${state}, quiet` : state
  const head = `${id} ${now} ${level} ×${withCommas(count)} ${place.join(' ')}, first ${firstSeen} last ${lastSeen}`
  return [
    `${head} | ${onOneLine(title)}${at}`,
    `  ${onOneLine(item.summary)}`,
    ...shortCauseLines(item.likelyCause).map((line) => `  ${line}`),
    ...correlatedLines(item).map((line) => `  ${line}`),
  ]
}

/** Its evidence is that of the cause where it is the cause. */
export function correlatedLines(item: AnalysisItem): string[] {
  const { correlatedDeploy, correlatedDeployReason } = item
  if (correlatedDeploy === null) return [`correlated deploy: none; ${onOneLine(correlatedDeployReason ?? '')}`]
  const { source, deployId, sha, ref, environment, deployedAt, committedAt, elapsedSeconds, confidence } =
    correlatedDeploy
  const when = deployedAt ?? `committed ${committedAt}`
  const what = [source, deployId, onOneLine(sha), ref && onOneLine(ref), onOneLine(environment), when]
    .filter(Boolean)
    .join(' ')
  const { evidenceFor, evidenceAgainst } = isCorrelatedCause(item)
    ? { evidenceFor: [], evidenceAgainst: [] }
    : correlatedDeploy
  return [
    `correlated deploy: ${what}, ${formatElapsed(elapsedSeconds)} before ${anchorWords(item)}, confidence ${confidence}`,
    ...evidenceFor.map((text) => `  for: ${onOneLine(text)}`),
    ...evidenceAgainst.map((text) => `  against: ${onOneLine(text)}`),
    ...(correlatedDeploy.warning === null ? [] : [`  warning: ${correlatedDeploy.warning}`]),
  ]
}

/** `3 analyses; in the window 2 new, 1 resolved` */
export function statesFact(shown: number, states: Record<string, number>): string {
  const there = Object.entries(states).filter(([, count]) => count > 0)
  const named = there.map(([state, count]) => `${withCommas(count)} ${state}`).join(', ')
  return `${counted(shown, 'analysis', 'analyses')}${named === '' ? '' : `; in the window ${named}`}`
}

/** Where an item holds a stranger's text. */
export const UNTRUSTED_OF_ITEM = [
  'title',
  'type',
  'environment',
  'service',
  'where',
  'summary',
  'likelyCause',
  'correlatedDeploy',
  'correlatedDeployReason',
  'notes',
] as const
