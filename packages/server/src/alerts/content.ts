/**
 * What a message says, whichever way it goes. Titles, names and sentences about them hold a stranger's text: each channel
 * makes it harmless in its own way, and nothing else of it may become a link, a mention or a header.
 */

import type { AlertReason } from '@tidemark/wire/alerts/alert-kinds'
import type { CauseKind, LikelyCause } from '@tidemark/wire/analyses/cause'
import { CAUSE_WORDS, CONFIDENCE_WORDS, causeLead, unknownWords } from '@tidemark/wire/analyses/cause-words'
import { counted } from '@tidemark/wire/text/counted'
import type { Together } from '../model/alert.ts'

export type AlertNote = {
  reason: AlertReason
  title: string
  environment: string
  service: string
  /** RFC 3339, UTC. */
  since: string
  /** What is known beyond the title, a sentence each. */
  facts: string[]
  /** Null where nothing is explained: silence, queries and deploys speak for themselves. */
  cause: { kind: CauseKind; title: string; confidence: LikelyCause['confidence'] } | null
  /** The page about it, and what is there. */
  url: string
  page: string
  /** For an agent with the MCP endpoint. Holds only ids and words of ours and of the project's members. */
  prompt: string
}

export type AlertContent = {
  isTest: boolean
  project: { id: string; name: string }
  /** Where all of it can be seen. */
  url: string
  /** RFC 3339, UTC: when it was written. */
  at: string
  together: Together | null
  /** How many alerts there are to tell, of which `notes` are the first. */
  told: number
  notes: AlertNote[]
}

/** What a message tells of at most one by one; the rest is counted. */
export const MAX_NOTES = 20

export const TEST_WORDS = 'This is a test of an alert channel. Nothing is wrong.'

/** The first line of a message that tells several. */
export function togetherWords({ together, told }: Pick<AlertContent, 'together' | 'told'>): string {
  return `${counted(told, 'alert')}${together === 'quiet' ? ' from the quiet hours' : ''}`
}

/** `2026-11-17 00:07 UTC` */
export function timeWords(rfc3339: string): string {
  return `${rfc3339.slice(0, 10)} ${rfc3339.slice(11, 16)} UTC`
}

/** Words of ours, or a stranger's text, which each channel makes harmless. */
export type Wording = { words: string } | { quoted: string }

/** In one text; `quote` is the channel's way with a stranger's. */
export function spoken(wording: readonly Wording[], quote: (text: string) => string): string {
  return wording.map((part) => ('words' in part ? part.words : quote(part.quoted))).join('')
}

/** Follows a reason: ` in production, checkout`. */
export function placeWording({ environment, service }: Pick<AlertNote, 'environment' | 'service'>): Wording[] {
  const places = [environment, service].filter((name) => name !== '')
  return places.flatMap((name, at) => [{ words: at === 0 ? ' in ' : ', ' }, { quoted: name }])
}

/** In the words of the analysis page. The title of what is unknown is ours, and says whether anything changed at all. */
export function causeWording({ kind, title, confidence }: NonNullable<AlertNote['cause']>): Wording[] {
  if (kind === 'unknown') return [{ words: title }]
  const words = `${CAUSE_WORDS[kind]}, ${CONFIDENCE_WORDS[confidence].toLowerCase()}`
  return title === '' ? [{ words }] : [{ words: `${words}: ` }, { quoted: title }]
}

/** The same after `Likely cause: `, as a line of its own. */
export function causeLineWording(cause: NonNullable<AlertNote['cause']>): Wording[] {
  const lead = `${causeLead(cause)}: `
  return cause.kind === 'unknown'
    ? [{ words: `${lead}${unknownWords(cause.title)}` }]
    : [{ words: lead }, ...causeWording(cause)]
}

export function restWords({ told, notes }: Pick<AlertContent, 'told' | 'notes'>): string {
  const rest = told - notes.length
  return rest <= 0 ? '' : `And ${counted(rest, 'more alert')}, which the dashboard shows.`
}
