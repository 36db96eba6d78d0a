/** One message to a draft: RFC 5424, and what calls itself RFC 3164. What the text itself says comes first. */

import { syslogFields, syslogPlace, syslogTag, syslogTime } from '@tidemark/wire/senders/syslog-names'
import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'
import { parseTimestamp } from '../../record/timestamp.ts'
import { BESIDE, offerBeside, offerNamed, ownNames } from '../offer-named.ts'
import { readHeader, readPriority } from './header.ts'
import { type Element, readStructuredData } from './structured-data.ts'
import { isOwnElement } from './take-key.ts'

/** A message without a priority counts as `user.notice`, as RFC 3164 says. */
const NO_PRIORITY = 13
const NO_OWN_NAMES = ownNames({})

type Parts = {
  priority: number
  timeUs: number | null
  host: string
  app: string
  process: string
  messageId: string
  elements: readonly Element[]
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
  const own = parts.elements.filter(({ id }) => isOwnElement(id))
  for (const { params } of own) for (const { name, value } of params) offerNamed(draft, name, value, NO_OWN_NAMES)
  for (const { name, value, place } of syslogFields(parts)) {
    if (place) offerBeside(draft, aliasFor(place.slot, BESIDE + place.rank), name, value)
    else draft.keep(name, value, 1)
  }
  for (const { id, params } of parts.elements) {
    if (isOwnElement(id)) continue
    for (const { name, value } of params) draft.keep(`${id}.${name}`, value, 1)
  }
  return { timeUs: parts.timeUs }
}

/** Null when it is not of this form. */
function newForm(bytes: Buffer, receivedUs: number): Parts | string | null {
  const header = readHeader(bytes)
  if (header === null) return null
  const [time = '', host = '', app = '', process = '', messageId = ''] = header.fields
  const timeUs = time === '' ? null : parseTimestamp(time, receivedUs)
  if (time !== '' && timeUs === null) return 'The time of the message is not understood. Send RFC 3339.'
  const data = readStructuredData(bytes, header.end)
  if (data === null) return 'The structured data is not well formed, or is more than a record holds.'
  const { priority } = header
  return { priority, timeUs, host, app, process, messageId, elements: data.elements, text: textFrom(bytes, data.end) }
}

/** Without a time that is understood, what follows the priority is a tag and text. Without a zone the time is UTC. */
function oldForm(bytes: Buffer, receivedUs: number): Parts {
  const priority = readPriority(bytes)
  const text = textFrom(bytes, priority?.end ?? 0)
  const base = { priority: priority?.value ?? NO_PRIORITY, messageId: '', elements: [] }
  const timed = priority === null ? null : syslogTime(text)
  const timeUs = timed && parseTimestamp(timed.time, receivedUs)
  if (timed === null || timeUs === null) return { ...base, timeUs: null, host: '', ...syslogTag(text) }
  return { ...base, timeUs, ...syslogPlace(timed.rest) }
}

/** Bytes that are no UTF-8 become U+FFFD: an old device's umlauts cost neither its message nor those around it. */
function textFrom(bytes: Buffer, at: number): string {
  const start = bytes[at] === 0x20 ? at + 1 : at
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return bytes.toString('utf8', hasMark ? start + 3 : start)
}
