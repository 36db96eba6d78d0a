/** What `journalctl -o json` writes: an entry in a line, with texts, lists of bytes for what is no UTF-8, and lists of both. */
import { isObject } from '@tidemark/wire/is-object'
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
import { levelOfText } from '@tidemark/wire/senders/line-layouts'
import { type Beside, recordBeside, recordOfError } from '../beside.ts'
import type { Defaults } from '../entry.ts'
import type { Mapped } from '../read-ndjson.ts'

/** A service that the program itself names in a field comes before its unit. */
const AFTER_COMMON = 50

export function journalRecord(_text: string, entry: Record<string, unknown>, defaults: Defaults): Mapped {
  const fields = new Map<string, string[]>()
  for (const [name, value] of Object.entries(entry)) fields.set(name, textsIn(value))
  return recordOfJournal(fields, defaults)
}

/** Each field with its values: a journal may hold several of one name. */
export function recordOfJournal(fields: ReadonlyMap<string, readonly string[]>, defaults: Defaults): Mapped {
  const first = (name: string) => fields.get(name)?.[0]
  const message = first('MESSAGE')
  const time = first('__REALTIME_TIMESTAMP')
  if (time !== undefined && journalTimeUs(time) === null) return { problem: NO_JOURNAL_TIME }
  const service = journalService(first)
  const beside: Beside[] = []
  for (const [name, values] of fields) {
    const taken = READ_JOURNAL_FIELDS.has(name) || name === service?.from ? 1 : 0
    if (isJournalAddress(name)) continue
    // A record has one message: an attribute beside it needs another name.
    const count = name === 'MESSAGE' ? 2 : 1
    values.slice(taken).forEach((value, at) => {
      beside.push({ name: `${journalAttribute(name)}${at + count === 1 ? '' : `#${at + count}`}`, value })
    })
  }
  const add = (name: string, value: string | undefined, place?: Beside['place']) => {
    if (value !== undefined) beside.push({ name, value, place })
  }
  add('priority', first('PRIORITY'), { slot: 'level', rank: 0 })
  if (service) add(journalAttribute(service.from), service.name, { slot: 'service', rank: AFTER_COMMON })
  add('journald.hostname', first('_HOSTNAME'), { slot: 'host', rank: 0 })
  const facility = first('SYSLOG_FACILITY')
  add('syslog.facility', facility === undefined ? undefined : journalFacility(facility))
  add(LEFT_OUT_ATTRIBUTE, first(LEFT_OUT_FIELD)?.toLowerCase())
  if (message && isJournalDefaultPriority(first))
    add('level', levelOfText(message) ?? undefined, { slot: 'level', rank: -1 })
  const besideMessage = { time: time && isoOf(time), beside }
  if (message) return recordBeside(message, besideMessage, defaults)
  return recordOfError(besideMessage, defaults) ?? { problem: 'The entry has neither a `MESSAGE` nor an error.' }
}

/** To the microsecond, which no date holds. */
function isoOf(microseconds: string): string {
  const digits = microseconds.padStart(7, '0')
  return `${new Date(Number(digits.slice(0, -3))).toISOString().slice(0, -1)}${digits.slice(-3)}Z`
}

/** `null` stands for what was too large to be written. */
function textsIn(value: unknown): string[] {
  if (value === null || value === undefined || isObject(value)) return []
  if (!Array.isArray(value)) return [String(value)]
  const isBytes = value.length > 0 && value.every((one) => Number.isInteger(one) && one >= 0 && one <= 255)
  return isBytes
    ? [Buffer.from(value as number[]).toString('utf8')]
    : value.flatMap((one) => (Array.isArray(one) || typeof one === 'string' ? textsIn(one) : []))
}
