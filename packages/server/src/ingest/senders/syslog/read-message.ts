/** One message to a draft: RFC 5424, and what calls itself RFC 3164. What the text itself says comes first. */

import { readPriority, readSyslogHeader, readSyslogText } from '@tidemark/wire/senders/syslog-message'
import { syslogFields, syslogPlace, syslogTag, syslogTime } from '@tidemark/wire/senders/syslog-names'
import { readStructuredData, type SyslogElement } from '@tidemark/wire/senders/syslog-structured-data'
import { BESIDE, offerBeside, offerLevelOfText, offerNamed, ownNames } from '../../record/offer-named.ts'
import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'
import { parseTimestamp } from '../../record/timestamp.ts'

/** A message without a priority counts as `user.notice`, as RFC 3164 says. */
const NO_PRIORITY = 13
const NO_OWN_NAMES = ownNames({})

type Parts = {
  priority: number
  /** No priority was sent. */
  isPriorityAssumed?: boolean
  timeUs: number | null
  host: string
  app: string
  process: string
  messageId: string
  elements: readonly SyslogElement[]
  text: string
}

type ReadLine = (draft: RecordDraft, line: string) => void

/** Returns why it cannot be a record, or null. The time of its header, when there is one, is set by the caller. */
export function readMessage(
  draft: RecordDraft,
  bytes: Buffer,
  receivedUs: number,
  readLine: ReadLine,
): { timeUs: number | null } | string {
  const parts = newForm(bytes, receivedUs) ?? oldForm(bytes, receivedUs)
  if (typeof parts === 'string') return parts
  if (parts.text !== '') readLine(draft, parts.text)
  if (parts.isPriorityAssumed) offerLevelOfText(draft)
  for (const { name, value, place } of syslogFields(parts)) {
    if (place === 'none') draft.keep(name, value, 1)
    else if (place === undefined) offerNamed(draft, name, value, NO_OWN_NAMES)
    else offerBeside(draft, aliasFor(place.slot, BESIDE + place.rank), name, value)
  }
  return { timeUs: parts.timeUs }
}

/** Null when it is not of this form. */
function newForm(bytes: Buffer, receivedUs: number): Parts | string | null {
  const header = readSyslogHeader(bytes)
  if (header === null) return null
  const timeUs = header.time === '' ? null : parseTimestamp(header.time, receivedUs)
  if (header.time !== '' && timeUs === null) return 'The time of the message is not understood. Send RFC 3339.'
  const data = readStructuredData(bytes, header.end)
  if (data === null) return 'The structured data is not well formed, or is more than a record holds.'
  const { priority, host, app, process, messageId } = header
  const text = readSyslogText(bytes, data.end)
  return { priority, timeUs, host, app, process, messageId, elements: data.elements, text }
}

/** Without a time that is understood, what follows the priority is a tag and text. Without a zone the time is UTC. */
function oldForm(bytes: Buffer, receivedUs: number): Parts {
  const priority = readPriority(bytes)
  const text = readSyslogText(bytes, priority?.end ?? 0)
  const isPriorityAssumed = priority === null
  const base = { priority: priority?.value ?? NO_PRIORITY, isPriorityAssumed, messageId: '', elements: [] }
  const timed = priority === null ? null : syslogTime(text)
  const timeUs = timed && parseTimestamp(timed.time, receivedUs)
  if (timed === null || timeUs === null) return { ...base, timeUs: null, host: '', ...syslogTag(text) }
  return { ...base, timeUs, ...syslogPlace(timed.rest) }
}
