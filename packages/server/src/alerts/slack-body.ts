/**
 * A message for Slack and services compatible with it. All text that is not ours stands in code marks, written so that
 * nothing of it becomes a link, a mention or a format there; the three characters that Slack interprets are escaped
 * everywhere.
 */
import { REASON_WORDS } from '@tidemark/wire/alerts/alert-kinds'
import { codeText } from '@tidemark/wire/text/stranger-text'
import {
  type AlertContent,
  type AlertNote,
  causeLineWording,
  placeWording,
  restWords,
  spoken,
  TEST_WORDS,
  timeWords,
  togetherWords,
} from './content.ts'

/** Longer messages are cut by Slack, in the middle of what they say. */
const MAX_TEXT_CHARACTERS = 12_000

export function slackBody(content: AlertContent): string {
  return JSON.stringify({ text: slackText(content), unfurl_links: false, unfurl_media: false })
}

function slackText(content: AlertContent): string {
  const { isTest, project, url, notes, told } = content
  if (isTest) return `${TEST_WORDS} Project ${code(project.name)}. ${link(url, 'Open the settings')}`
  const [only] = notes
  if (told === 1 && only) return noteLines(only, project.name).join('\n')
  const rest = restWords(content)
  const lines = [`*${togetherWords(content)}* in ${code(project.name)}. ${link(url, 'Open the overview')}`]
  let length = lines[0]!.length + rest.length
  let shown = 0
  for (const note of notes) {
    const line = shortLine(note)
    length += line.length + 1
    if (length > MAX_TEXT_CHARACTERS) break
    lines.push(line)
    shown += 1
  }
  const left = restWords({ told, notes: notes.slice(0, shown) })
  return [...lines, ...(left === '' ? [] : [left])].join('\n')
}

function noteLines(note: AlertNote, project: string): string[] {
  const { reason, title, since, facts, cause, url, page, prompt } = note
  return [
    `*${REASON_WORDS[reason]}*${spoken(placeWording(note), code)} (${code(project)})`,
    code(title),
    `Since ${timeWords(since)}`,
    ...facts.map((fact) => code(fact)),
    ...(cause === null ? [] : [spoken(causeLineWording(cause), code)]),
    link(url, `Open ${page}`),
    'For an agent:',
    `\`\`\`${escaped(prompt.replaceAll('`', "'"))}\`\`\``,
  ]
}

function shortLine(note: AlertNote): string {
  const { reason, title, since, cause, url, page } = note
  const why = cause === null ? '' : `; ${startingSmall(spoken(causeLineWording(cause), code))}`
  return `• ${REASON_WORDS[reason]}${spoken(placeWording(note), code)}: ${code(title)}, since ${timeWords(since)}${why}. ${link(url, `Open ${page}`)}`
}

const startingSmall = (text: string) => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

function link(url: string, words: string): string {
  return `<${escaped(url).replaceAll('|', '%7C')}|${escaped(words)}>`
}

function code(text: string): string {
  return `\`${escaped(codeText(text))}\``
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
