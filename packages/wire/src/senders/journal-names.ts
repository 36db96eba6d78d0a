/** What the fields of an entry of systemd's journal are in a record, at the door and in an import alike. */
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

/** What journald itself knows, which no program can forge, has an underscore before its name. */
export function journalAttribute(field: string): string {
  return field.startsWith('_') ? `journald.${field.slice(1).toLowerCase()}` : field.toLowerCase()
}

/** Names with two underscores say where the entry is in its journal, which is no part of it. */
export function isJournalAddress(field: string): boolean {
  return field.startsWith('__') || field === ''
}
