/**
 * A message of syslog as RFC 3164 tells it, `<PRI>TIME HOST TAG[PID]: text`, and what the parts of any message are in a
 * record: at the door and in an import alike.
 */
import type { Place } from '../field-names.ts'
import { FACILITIES } from './facilities.ts'
import { isKey, isOwnElement, type SyslogElement } from './syslog-structured-data.ts'

/** `<13>`: eight times the facility and the severity, from 0 to 191. */
export function syslogPriority(text: string): { value: number; end: number } | null {
  const [all, digits] = /^<(\d{1,3})>/.exec(text) ?? []
  return all === undefined || Number(digits) > 191 ? null : { value: Number(digits), end: all.length }
}

/** What RFC 3164 begins with, and what devices make of it: a year, parts of a second, a zone, a mark of doubt before it. */
const OLD_TIME =
  /^[*.]?(?<month>[A-Z][a-z]{2}) {1,2}(?<day>\d{1,2}) (?:(?<year>\d{4}) )?(?<clock>\d\d:\d\d:\d\d(?:\.\d{1,6})?)(?: (?<late>\d{4})(?= ))?(?: (?<zone>UTC|GMT|CES?T|[ECMP][SD]T)(?=[ :]|$))?:? ?/
const NEW_TIME = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?):? /

/** The time after the priority, in a form that every record may have, and what follows it. */
export function syslogTime(text: string): { time: string; rest: string } | null {
  const iso = NEW_TIME.exec(text)
  if (iso !== null) return { time: iso[1]!, rest: text.slice(iso[0].length) }
  const old = OLD_TIME.exec(text)
  if (old?.groups === undefined) return null
  const { month, day, year, clock, late, zone } = old.groups
  const given = year ?? late
  const date = given === undefined ? `${month} ${day}` : `${month} ${day}, ${given}`
  return { time: `${date} ${clock}${zone === undefined ? '' : ` ${zone}`}`, rest: text.slice(old[0].length) }
}

type Tagged = { app: string; process: string; text: string }

/** What follows the time: `HOST TAG[PID]: text`, any of which may be missing. */
export function syslogPlace(rest: string): { host: string } & Tagged {
  const [, host = ''] = /^([\w.:-]{1,255}) /.exec(rest) ?? []
  // Programs on the same machine leave their host out: then the tag, which ends in a colon, comes first.
  if (host === '' || host.endsWith(':')) return { host: '', ...syslogTag(rest) }
  return { host, ...syslogTag(rest.slice(host.length + 1)) }
}

/** `TAG[PID]: text`. What is no tag is text. */
export function syslogTag(text: string): Tagged {
  const [all = '', app = '', process = ''] = /^([\w./@%+-]{1,128})(?:\[([\w.-]{1,128})\])?:(?: |$)/.exec(text) ?? []
  return { app, process, text: text.slice(all.length) }
}

type SyslogField = {
  /** Of its attribute, if it becomes one. */
  name: string
  value: string | number
  /** The field that it fills, unless the text says so itself; without one the name tells. */
  place?: Pick<Place, 'slot' | 'rank'> | 'none'
}

type SyslogParts = {
  priority: number | null
  app: string
  host: string
  process: string
  messageId?: string
  elements?: readonly SyslogElement[]
}

/** What stands beside the text, what comes first first. A part that is empty, or a priority that was not sent, says nothing. */
export function syslogFields(parts: SyslogParts): SyslogField[] {
  const { priority, app, host, process, messageId = '', elements = [] } = parts
  const fields: SyslogField[] = []
  for (const element of elements) {
    if (!isOwnElement(element)) continue
    for (const param of element.params) {
      if (!isKey(param)) fields.push({ name: param.name, value: param.value })
    }
  }
  const add = (field: SyslogField) => {
    if (field.value !== '') fields.push(field)
  }
  add({ name: 'syslog.app_name', value: app, place: SERVICE })
  add({ name: 'host.name', value: host, place: HOST })
  add({ name: 'syslog.procid', value: process, place: 'none' })
  add({ name: 'syslog.msgid', value: messageId, place: 'none' })
  if (priority !== null) {
    add({ name: 'syslog.severity', value: priority & 7, place: LEVEL })
    add({ name: 'syslog.facility', value: FACILITIES[priority >> 3]!, place: 'none' })
  }
  for (const element of elements) {
    if (isOwnElement(element)) continue
    for (const { name, value } of element.params) fields.push({ name: `${element.id}.${name}`, value, place: 'none' })
  }
  return fields
}

const LEVEL = { slot: 'level', rank: 0 } as const
const HOST = { slot: 'host', rank: 0 } as const
/** Whatever else names the service knows better than the program's own name. */
const SERVICE = { slot: 'service', rank: 50 } as const
