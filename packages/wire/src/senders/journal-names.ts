/** What the fields of an entry of systemd's journal are in a record, at the door and in an import alike. */
import { MAX_JOURNAL_FIELDS, MAX_RECORD_BYTES } from '../limits.ts'
import { withCommas } from '../text/counted.ts'
import { sizeWords } from '../text/size-words.ts'
import { FACILITIES } from './facilities.ts'

/** Fields that are read by themselves: what comes again under their names is an attribute. */
export const READ_JOURNAL_FIELDS: ReadonlySet<string> = new Set(['MESSAGE', 'PRIORITY', '_HOSTNAME', 'SYSLOG_FACILITY'])

/** By the name that syslog has for it. A number beyond the list stays what it is. */
export function journalFacility(text: string): string {
  return /^\d+$/.test(text) ? (FACILITIES[Number(text)] ?? text) : text
}

/**
 * What tells which service it is, the most exact first: the daemon of containers is one unit for all of them, and a unit
 * tells more than the name that a program gives itself.
 */
const SERVICE_FIELDS = ['CONTAINER_NAME', '_SYSTEMD_USER_UNIT', '_SYSTEMD_UNIT', 'SYSLOG_IDENTIFIER', '_COMM']

/**
 * The service, and the field that names it. A unit is a service by its name without `.service`; other kinds of units,
 * such as the session of a person, and the manager of a person's units, are none.
 */
export function journalService(
  fieldOf: (field: string) => string | undefined,
): { from: string; name: string } | undefined {
  for (const from of SERVICE_FIELDS) {
    const value = fieldOf(from)
    if (value === undefined) continue
    const name = from.endsWith('UNIT') ? /^(?!user@\d+\.)(.+)\.service$/.exec(value)?.[1] : value
    if (name) return { from, name }
  }
  return undefined
}

/** journald gives what a program prints this priority, unless the program has chosen another. */
export function isJournalDefaultPriority(fieldOf: (field: string) => string | undefined): boolean {
  return fieldOf('_TRANSPORT') === 'stdout' && fieldOf('PRIORITY') === '6'
}

/** What journald itself knows, which no program can forge, has an underscore before its name. */
export function journalAttribute(field: string): string {
  return field.startsWith('_') ? `journald.${field.slice(1).toLowerCase()}` : field.toLowerCase()
}

/** The field that names those which were left out. Of the names with two underscores, which no program can write. */
export const LEFT_OUT_FIELD = '__TIDEMARK_LEFT_OUT'
/** What it becomes. */
export const LEFT_OUT_ATTRIBUTE = 'journald.left_out'

/** As systemd itself has it. */
export const MAX_JOURNAL_NAME_BYTES = 64
const FIELD = /^[A-Z_][A-Z0-9_]*$/

/** Whether a line without `=` can be the name of a field, before its length and its bytes. */
export function isJournalField(name: string): boolean {
  return name.length <= MAX_JOURNAL_NAME_BYTES && FIELD.test(name)
}

/** Null for what is no time. */
export function journalTimeUs(text: string): number | null {
  return /^\d{1,16}$/.test(text) ? Number(text) : null
}
export const NO_JOURNAL_TIME = 'The field `__REALTIME_TIMESTAMP` is not a number of microseconds since 1970.'

export const TOO_LARGE_ENTRY = `The entry holds more than ${sizeWords(MAX_RECORD_BYTES)}, or more than ${withCommas(MAX_JOURNAL_FIELDS)} fields.`

/** Names with two underscores say where the entry is in its journal, which is no part of it. */
export function isJournalAddress(field: string): boolean {
  return field.startsWith('__') || field === ''
}
