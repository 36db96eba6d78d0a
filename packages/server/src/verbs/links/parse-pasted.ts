/** What a pasted text may be, by its form alone. Nothing is looked up here. */

import { UUID } from '@tidemark/wire/id-form'
import { isObject } from '@tidemark/wire/is-object'
import { LEVEL_WORDS } from '@tidemark/wire/level'
import { MAX_NAME_CHARACTERS } from '@tidemark/wire/limits'
import { isLoopbackHost } from '@tidemark/wire/local-address'
import { findStack } from '../../analysis/stack/parse-stack.ts'

/** More of them in one text are left out. */
const MAX_IDS_IN_TEXT = 10
const MAX_MESSAGES = 4
/** A longer line is not a frame. */
const MAX_FRAME_CHARACTERS = 1_000

/** Without what a chat or a terminal puts around it. */
export function withoutWrapping(ref: string): string {
  const text = ref.trim()
  const inner = WRAPPINGS.map((form) => form.exec(text)?.[1]).find((part) => part !== undefined)
  return (inner ?? text).trim()
}

/** A link between angle brackets or in Markdown, and code. */
const WRAPPINGS = [/^<([^<>\s]+)>$/, /^\[[^\]]*\]\(([^()\s]+)\)$/, /^`+([^`]+)`+$/]

/** An address, also one without its host. */
export function urlIn(text: string, publicUrl: string): URL | null {
  if (!/^https?:\/\/\S+$/i.test(text) && !/^\/projects\/\S+$/.test(text)) return null
  try {
    return new URL(text, publicUrl)
  } catch {
    return null
  }
}

/** The same port on another name of this machine is the same service. */
export function isSameHost(url: URL, publicUrl: string): boolean {
  const ours = new URL(publicUrl)
  if (url.host === ours.host) return true
  return url.port === ours.port && isLoopbackHost(url.hostname) && isLoopbackHost(ours.hostname)
}

/** The revision in the address of a commit, as the usual hosts of repositories write it. */
export function revisionIn({ pathname }: URL): string | null {
  return /\/commits?\/([0-9a-f]{7,64})(?:\/|$)/i.exec(pathname)?.[1] ?? null
}

const IDS = new RegExp(`(?<![\\w-])(?:(?:log|dep|prj)_${UUID}|ana_[0-9a-f]{32})(?![\\w-])`, 'gi')

/** Ids of ours anywhere in it, each once, in lower case. */
export function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(IDS)].map(([id]) => id.toLowerCase()))].slice(0, MAX_IDS_IN_TEXT)
}

/** One line that may be the name of something: a revision, an external id, a trace. */
export function nameIn(text: string): string | null {
  return text.length <= MAX_NAME_CHARACTERS && !text.includes('\n') ? text : null
}

export type Place = { function: string; file: string; line: number }

const PLACE =
  /^(?:at\s+)?(?:async\s+)?(?:([\w$.<>[\] ]{1,200}?)\s*\(|\()?((?:[A-Za-z]:)?[^\s:()"']*[\w-]\.[A-Za-z]\w{0,9}):(\d{1,7})(?::\d{1,7})?\)?(?:\s\+0x[0-9a-f]+)?$/

/** One frame of a stack, in any of the languages that are read, or a place such as `src/pay.ts:42`. */
export function placeIn(text: string): Place | null {
  if (text.includes('\n') || text.length > MAX_FRAME_CHARACTERS) return null
  const frame = findStack(`${text}\n`)?.exceptions[0]?.frames[0]
  if (frame && frame.file !== '' && frame.line !== null) {
    return { function: frame.function, file: frame.file, line: frame.line }
  }
  const [, name = '', file, line] = PLACE.exec(text) ?? []
  return file === undefined ? null : { function: lastName(name), file: file.replaceAll('\\', '/'), line: Number(line) }
}

function lastName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1).trim()
}

/**
 * The messages that a pasted line may be: the line itself, what a logger's time, level and names stand before, and the
 * message of a line in JSON. The likeliest first.
 */
export function messagesIn(text: string): string[] {
  const whole = text.trim()
  const [first = ''] = whole.split('\n')
  const messages = [messageOfJson(whole), afterOurHead(first), afterLoggersHead(first), whole, first]
  return [...new Set(messages.filter((one): one is string => one !== null && one !== ''))].slice(0, MAX_MESSAGES)
}

function messageOfJson(text: string): string | null {
  if (!text.startsWith('{')) return null
  try {
    const parsed: unknown = JSON.parse(text)
    if (!isObject(parsed)) return null
    const message = parsed.message ?? parsed.msg ?? parsed.body ?? parsed.event
    return typeof message === 'string' ? message.trim() : null
  } catch {
    return null
  }
}

/** A row as our own answers show it: `time level service environment | message {attributes} trace=… id`. */
function afterOurHead(line: string): string | null {
  const [, message] = /^\S+Z (?:trace|debug|info|warn|error|fatal)\b[^|]{0,600}\| (.*)$/.exec(line) ?? []
  return message?.replace(/ \{[^{}]*\}(?: trace=\S+)?$| trace=\S+$/, '').trim() ?? null
}

const HEAD_TIME = /^[[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:[.,]\d+)?(?:Z| ?[+-]\d\d:?\d\d)?[\])]?[\s:|-]*/

/** `2026-01-31 12:00:00,123 ERROR [checkout] pay - message`. */
function afterLoggersHead(line: string): string | null {
  const timed = line.replace(HEAD_TIME, '')
  const [, word = '', rest = ''] = /^[[(<]?([A-Za-z]{3,11})[\])>]?[\s:|-]+(.*)$/.exec(timed) ?? []
  const levelled = LEVEL_WORDS.has(word.toLowerCase()) ? rest : timed
  const named = levelled.replace(/^\[[^\]]{1,100}\]\s*/, '').replace(/^[\w.$-]{1,100} - /, '')
  return named === line ? null : named.trim()
}

const COMMON = new Set(['the', 'and', 'for', 'with', 'from', 'that', 'this', 'not', 'was', 'are', 'error', 'failed'])

/** Words that tell it from others: no numbers, nothing common, the longest first. */
export function tellingWords(text: string, most: number): string[] {
  const words = text.match(/[\p{L}_$][\p{L}\p{N}_$.-]{2,}/gu) ?? []
  const telling = [...new Set(words)].filter((word) => !/\d{2}/.test(word) && !COMMON.has(word.toLowerCase()))
  return telling.sort((a, b) => b.length - a.length).slice(0, most)
}
