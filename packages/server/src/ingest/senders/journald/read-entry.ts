/**
 * One entry of a journal to a draft. What the message itself says comes first, then what the program says in fields of its
 * own, then what journald knows about the program, whose fields begin with an underscore and cannot be forged.
 */
import {
  isJournalAddress,
  isJournalDefaultPriority,
  journalAttribute,
  journalFacility,
  journalService,
  journalTimeUs,
  LEFT_OUT_ATTRIBUTE,
  LEFT_OUT_FIELD,
  NO_JOURNAL_TIME,
  READ_JOURNAL_FIELDS,
} from '@tidemark/wire/senders/journal-names'
import { BESIDE, offerBeside, offerLevelOfText, offerNamed, ownNames } from '../../record/offer-named.ts'
import { aliasFor, type RecordDraft } from '../../record/record-draft.ts'

const NO_OWN_NAMES = ownNames({})
const LEVEL = aliasFor('level', BESIDE)
const HOST = aliasFor('host', BESIDE)
const SERVICE = aliasFor('service', BESIDE + 50)

type Fields = Map<string, string>
type ReadLine = (draft: RecordDraft, line: string) => void
type Entry = { hasCursor: boolean; timeUs: number | null; problem: string | null }

export function readEntry(draft: RecordDraft, bytes: Buffer, readLine: ReadLine): Entry {
  const { fields, repeated } = fieldsIn(bytes)
  const message = fields.get('MESSAGE') ?? ''
  if (message !== '') readLine(draft, message)
  const service = journalService((field) => fields.get(field))
  for (const [name, value] of fields) {
    if (isJournalAddress(name) || READ_JOURNAL_FIELDS.has(name) || name === service?.from) continue
    if (name.startsWith('_')) draft.keep(journalAttribute(name), value, 1)
    else offerNamed(draft, journalAttribute(name), value, NO_OWN_NAMES)
  }
  for (const [name, value] of repeated) if (!isJournalAddress(name)) draft.keep(journalAttribute(name), value, 1)
  if (isJournalDefaultPriority((field) => fields.get(field))) offerLevelOfText(draft)
  offer(draft, LEVEL, 'priority', fields.get('PRIORITY'))
  if (service !== undefined) offerBeside(draft, SERVICE, journalAttribute(service.from), service.name)
  offer(draft, HOST, 'journald.hostname', fields.get('_HOSTNAME'))
  const facility = fields.get('SYSLOG_FACILITY')
  if (facility !== undefined) draft.keep('syslog.facility', journalFacility(facility), 1)
  const leftOut = fields.get(LEFT_OUT_FIELD)
  if (leftOut !== undefined) draft.keep(LEFT_OUT_ATTRIBUTE, leftOut.toLowerCase(), 1)
  return { hasCursor: fields.has('__CURSOR'), ...timeIn(fields) }
}

function offer(draft: RecordDraft, alias: typeof LEVEL, name: string, value: string | undefined): void {
  if (value !== undefined) offerBeside(draft, alias, name, value)
}

/** The first of each name, and what came under a name again. */
function fieldsIn(bytes: Buffer): { fields: Fields; repeated: [string, string][] } {
  const fields: Fields = new Map()
  const repeated: [string, string][] = []
  for (let at = 0; at < bytes.length; ) {
    const { name, value, end } = fieldAt(bytes, at)
    if (fields.has(name)) repeated.push([name, value])
    else fields.set(name, value)
    at = end
  }
  return { fields, repeated }
}

/** The entry is well formed: the door has found its end by its fields. Bytes that are no UTF-8 become U+FFFD. */
function fieldAt(bytes: Buffer, at: number): { name: string; value: string; end: number } {
  const lineEnd = bytes.indexOf(LINE_END, at)
  let equals = at
  while (equals < lineEnd && bytes[equals] !== EQUALS) equals++
  const name = bytes.toString('latin1', at, equals)
  if (equals < lineEnd) return { name, value: bytes.toString('utf8', equals + 1, lineEnd), end: lineEnd + 1 }
  const from = lineEnd + 9
  const to = from + Number(bytes.readBigUInt64LE(lineEnd + 1))
  return { name, value: bytes.toString('utf8', from, to), end: to + 1 }
}

/** Without a time of its own an entry has the time of its arrival. */
function timeIn(fields: Fields): Pick<Entry, 'timeUs' | 'problem'> {
  const text = fields.get('__REALTIME_TIMESTAMP')
  if (text === undefined) return { timeUs: null, problem: null }
  const timeUs = journalTimeUs(text)
  return { timeUs, problem: timeUs === null ? NO_JOURNAL_TIME : null }
}

const LINE_END = 0x0a
const EQUALS = 0x3d
