/**
 * An analysis as text to take elsewhere: for an incident's channel, and for an agent. What strangers wrote (titles, names,
 * commits) can forge neither a link nor a mention nor a heading there: it stands in a code span, written as in alerts. A
 * sentence of ours that only holds plain words is left as it is.
 */

import { shortRevision } from '../deploys/revision.ts'
import { counted } from '../text/counted.ts'
import { placeInFile } from '../text/place-in-file.ts'
import { codeText, strangerLine } from '../text/stranger-text.ts'
import { ANSWER_WITH_CAUSE, CHECK_THE_CLAIM, EVIDENCE_ALONE, lookFurther } from './agent-steps.ts'
import type { AnalysisItem } from './analysis.ts'
import type { SuspectView } from './cause.ts'
import { causeHeadline, causeLead, causeLine, unknownWords } from './cause-words.ts'

export type SharedAnalysis = Pick<
  AnalysisItem,
  | 'id'
  | 'title'
  | 'state'
  | 'environment'
  | 'service'
  | 'count'
  | 'firstSeen'
  | 'lastSeen'
  | 'where'
  | 'summary'
  | 'likelyCause'
> & { suspects?: readonly Pick<SuspectView, 'sha' | 'title' | 'author' | 'file' | 'line'>[] }

const SHOWN_SUSPECTS = 3
/** Words, numbers and the punctuation of a sentence. */
const PLAIN_WORDS = /^[\p{L}\p{N} ,;:%()'’/+-]*[.…]?$/u
/** What a chat makes a link or a mention of without being asked. */
const LINKABLE = /:\/\/|www\.|[\p{L}\p{N}]\.[\p{L}\p{N}]/iu

/** `url` is the page of the analysis in the dashboard. */
export function analysisMarkdown(analysis: SharedAnalysis, url: string): string {
  const { title, state, environment, service, count, firstSeen, lastSeen, where, summary, likelyCause } = analysis
  const { evidenceFor, evidenceAgainst } = likelyCause
  const place = [environment, service].filter((name) => name !== '').map(span)
  const suspects = (analysis.suspects ?? []).slice(0, SHOWN_SUSPECTS)
  return [
    `**${span(title)}**${where === '' ? '' : ` in ${span(where)}`}`,
    '',
    `${[state, ...place, counted(count, 'error')].join(', ')}, first ${firstSeen}, last ${lastSeen}.`,
    said(summary),
    '',
    ...causeLines(analysis),
    ...evidenceFor.map((text) => `- For: ${said(text)}`),
    ...evidenceAgainst.slice(0, 1).map((text) => `- Against: ${said(text)}`),
    ...(suspects.length === 0 ? [] : ['', '**Suspect commits:**', ...suspects.map(suspectLine)]),
    '',
    url,
  ].join('\n')
}

/** Only ids and our own words: what an agent needs to know it asks for, where it is marked as a stranger's. */
export function analysisPrompt({ id, likelyCause }: Pick<SharedAnalysis, 'id' | 'likelyCause'>, url: string): string {
  const { deployId } = likelyCause
  const steps = [
    `Call ${call('get_analysis', { id })}. Read likelyCause with the evidence for and against it, the suspects, the source around the frames, and what was logged just before.`,
    ...(deployId === null
      ? []
      : [`Call ${call('get_deploy', { id: deployId })} for all commits that the deploy brought.`]),
    lookFurther(id),
    `Call ${call('list_logs', { analysisId: id, limit: 20 })} for its records, with the deploys between.`,
    CHECK_THE_CLAIM,
  ]
  return [
    'Find out why this error happens and what to change, with the tools of the Tidemark MCP server.',
    ...steps.map((step, at) => `${at + 1}. ${step}`),
    EVIDENCE_ALONE,
    ANSWER_WITH_CAUSE,
    `Its page: ${url}`,
  ].join('\n')
}

/** That there is none the summary may have said already. */
function causeLines({ likelyCause, summary }: SharedAnalysis): string[] {
  const { kind, title } = likelyCause
  const lead = `**${causeLead(likelyCause)}:**`
  if (kind !== 'unknown') return [`${lead} ${causeHeadline(likelyCause, said(title))}`]
  return summary.startsWith(causeLine(likelyCause, title)) ? [] : [`${lead} ${said(unknownWords(title))}`]
}

function suspectLine({ sha, title, author, file, line }: NonNullable<SharedAnalysis['suspects']>[number]): string {
  const by = author === '' ? '' : ` by ${span(author)}`
  return `- ${span(shortRevision(sha))} ${span(title)}${by}, ${span(placeInFile(file, line))}`
}

function said(text: string): string {
  const line = strangerLine(text)
  return PLAIN_WORDS.test(line.replaceAll('. ', ' ')) && !LINKABLE.test(line) ? line : span(line)
}

function span(text: string): string {
  return `\`${codeText(text)}\``
}

function call(tool: string, args: Record<string, unknown>): string {
  return `${tool} ${JSON.stringify(args)}`
}
