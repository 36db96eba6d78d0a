/** What stands before the structured data of RFC 5424: `<PRI>1 TIME HOST APP PROCID MSGID `. `-` is nothing. */
import { syslogPriority } from '@tidemark/wire/senders/syslog-names'

export type Header = { priority: number; fields: string[] /** Where the structured data begins. */; end: number }

const FIELDS = 5
/** The longest of the five, the name of a host, may have 255. */
const MAX_FIELD_BYTES = 255

/** Null when it is not a message of RFC 5424. */
export function readHeader(bytes: Buffer): Header | null {
  const priority = readPriority(bytes)
  if (priority === null || bytes[priority.end] !== VERSION_ONE || bytes[priority.end + 1] !== SPACE) return null
  const fields: string[] = []
  let at = priority.end + 2
  while (fields.length < FIELDS) {
    const end = bytes.indexOf(SPACE, at)
    if (end === -1 || end === at || end - at > MAX_FIELD_BYTES) return null
    const field = bytes.toString('utf8', at, end)
    fields.push(field === '-' ? '' : field)
    at = end + 1
  }
  return { priority: priority.value, fields, end: at }
}

export function readPriority(bytes: Buffer): ReturnType<typeof syslogPriority> {
  return syslogPriority(bytes.toString('latin1', 0, 5))
}

const SPACE = 0x20
const VERSION_ONE = 0x31
