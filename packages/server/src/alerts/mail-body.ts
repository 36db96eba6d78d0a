/** A message as mail: the same lines as plain text and as HTML in which every text is escaped and only our own links are links. */
import { REASON_WORDS } from '@tidemark/wire/alerts/alert-kinds'
import { strangerLine, unlinked } from '@tidemark/wire/text/stranger-text'
import type { Mail } from '../outbound/send-mail.ts'
import {
  type AlertContent,
  type AlertNote,
  causeLineWording,
  placeWording,
  restWords,
  TEST_WORDS,
  timeWords,
  togetherWords,
  type Wording,
} from './content.ts'

const MAX_SUBJECT_CHARACTERS = 150

/** Also a link of ours, and what an agent is told. */
type Part = Wording | { url: string; label: string } | { prompt: string }
type Line = Part[]

export function mailBody(content: AlertContent): Pick<Mail, 'subject' | 'text' | 'html'> {
  const lines = linesOf(content)
  return {
    subject: strangerLine(unlinked(subjectOf(content)), MAX_SUBJECT_CHARACTERS),
    text: `${lines.map((line) => line.map(plain).join('')).join('\n')}\n`,
    html: `<!doctype html><html><body style="font-family:sans-serif;font-size:14px;line-height:1.5">${lines.map(htmlLine).join('')}</body></html>`,
  }
}

function subjectOf(content: AlertContent): string {
  const { isTest, project, notes, told } = content
  const [only] = notes
  const name = strangerLine(project.name, 60)
  if (isTest) return `[${name}] Test of an alert channel`
  if (told > 1 || !only) return `[${name}] ${togetherWords(content)}`
  const where = only.environment === '' ? '' : ` in ${strangerLine(only.environment, 40)}`
  return `[${name}] ${REASON_WORDS[only.reason]}${where}: ${strangerLine(only.title)}`
}

function linesOf(content: AlertContent): Line[] {
  const { isTest, project, url, notes, told } = content
  if (isTest)
    return [
      [{ words: TEST_WORDS }],
      [{ words: 'Project: ' }, { quoted: project.name }],
      [{ url, label: 'Open the settings' }],
    ]
  const rest = restWords(content)
  return [
    ...(told > 1 ? [[{ words: `${togetherWords(content)} in ` }, { quoted: project.name }], []] : []),
    ...notes.flatMap((note) => noteLines(note, told === 1)),
    ...(rest === '' ? [] : [[{ words: rest }]]),
    ...(told > 1 ? [[{ url, label: 'Open the overview' }]] : []),
  ]
}

function noteLines(note: AlertNote, isWhole: boolean): Line[] {
  const { reason, title, since, facts, cause, url, page, prompt } = note
  return [
    [{ words: REASON_WORDS[reason] }, ...placeWording(note)],
    [{ quoted: title }],
    [{ words: `Since ${timeWords(since)}` }],
    ...(isWhole ? facts.map((fact): Line => [{ quoted: fact }]) : []),
    ...(cause === null ? [] : [causeLineWording(cause)]),
    [{ url, label: `Open ${page}` }],
    ...(isWhole ? [[], [{ words: 'For an agent:' }], [{ prompt }]] : []),
    [],
  ]
}

function plain(part: Part): string {
  if ('words' in part) return part.words
  if ('quoted' in part) return quotedText(part.quoted)
  return 'url' in part ? `${part.label}: ${part.url}` : part.prompt
}

function htmlLine(line: Line): string {
  const html = line
    .map((part) => {
      if ('words' in part) return escaped(part.words)
      if ('quoted' in part) return `<code>${escaped(quotedText(part.quoted))}</code>`
      if ('url' in part) return `<a href="${escaped(part.url)}">${escaped(part.label)}</a>`
      return `<code style="white-space:pre-wrap">${escaped(part.prompt)}</code>`
    })
    .join('')
  return `<div>${html === '' ? '&nbsp;' : html}</div>`
}

function quotedText(text: string): string {
  return unlinked(strangerLine(text)) || '(empty)'
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (found) => ENTITIES[found] ?? found)
}
