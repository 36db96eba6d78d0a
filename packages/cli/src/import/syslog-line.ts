/** A line of syslog in a file, in either form. It becomes what it becomes at the door. */
import { readSyslogHeader, readSyslogText } from '@tidemark/wire/senders/syslog-message'
import { syslogFields, syslogPlace, syslogPriority, syslogTime } from '@tidemark/wire/senders/syslog-names'
import { keysIn, readStructuredData } from '@tidemark/wire/senders/syslog-structured-data'
import { parseInstant } from '@tidemark/wire/time/instant'
import type { BesideLine } from './beside.ts'

/** The text is never empty: a message without one is told by its whole line, because the service takes none without. */
export type SyslogLine = BesideLine & { text: string }

/** Null when it is not of syslog. */
export function readSyslogLine(line: string): SyslogLine | null {
  const priority = syslogPriority(line)
  if (priority !== null && line.startsWith('1 ', priority.end)) return lineOfNewForm(line)
  return lineOfOldForm(line, priority)
}

/** RFC 5424. The door refuses a message that is not well formed; in a file it is a text of its own, with nothing beside it. */
function lineOfNewForm(line: string): SyslogLine {
  const bytes = Buffer.from(line)
  const header = readSyslogHeader(bytes)
  const data = header && readStructuredData(bytes, header.end)
  if (header === null || data === null) return { beside: [], text: withoutLikelyKeys(line) }
  const { time, ...parts } = header
  const whole = () => without(keysIn(data.elements), bytes)
  if (time !== '' && !isTime(time)) return { beside: [], text: whole() }
  const beside = syslogFields({ ...parts, elements: data.elements })
  return { time: time || undefined, beside, text: readSyslogText(bytes, data.end) || whole() }
}

/** Without a zone it is UTC, as at the door. */
function isTime(time: string): boolean {
  return [time, `${time}Z`].some((one) => typeof parseInstant(one) === 'number')
}

/** A key opens a project: it is for the door that the message was sent to, and not for those who read the record. */
function without(pieces: readonly { from: number; to: number }[], bytes: Buffer): string {
  let text = ''
  let kept = 0
  for (const { from, to } of pieces) {
    text += bytes.toString('utf8', kept, from)
    kept = to
  }
  return text + bytes.toString('utf8', kept)
}

/** The same where what is an element cannot be told: whatever is called a key after what begins like one of our own. */
function withoutLikelyKeys(line: string): string {
  const at = line.search(/\[tidemark[@ ]/)
  return at === -1 ? line : line.slice(0, at) + line.slice(at).replace(/ key="[^"\s]*"?/g, '')
}

/**
 * RFC 3164. Files leave the priority out: then a line is of syslog when it has the older time and names its host and its
 * program, because many other lines begin with a time.
 */
function lineOfOldForm(line: string, priority: ReturnType<typeof syslogPriority>): SyslogLine | null {
  const timed = syslogTime(priority === null ? line : line.slice(priority.end).replace(/^ /, ''))
  if (timed === null) return null
  const parts = { priority: priority?.value ?? null, ...syslogPlace(timed.rest) }
  if (priority === null && (/^\d/.test(line) || parts.host === '' || parts.app === '')) return null
  return { time: timed.time, beside: syslogFields(parts), text: parts.text || line }
}
