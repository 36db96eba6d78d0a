/**
 * What stands around the structured data of RFC 5424: `<PRI>1 TIME HOST APP PROCID MSGID ` before it, where `-` is nothing,
 * and the text after it. The door reads messages with it, an import lines.
 */
import { syslogPriority } from './syslog-names.ts'
import type { SyslogBytes } from './syslog-structured-data.ts'

type Header = {
  priority: number
  time: string
  host: string
  app: string
  process: string
  messageId: string
  /** Where the structured data begins. */
  end: number
}

const FIELDS = 5
/** The longest of the five, the name of a host, may have 255. */
const MAX_FIELD_BYTES = 255

/** Null when it is not a message of RFC 5424. */
export function readSyslogHeader(bytes: SyslogBytes): Header | null {
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
  const [time = '', host = '', app = '', process = '', messageId = ''] = fields
  return { priority: priority.value, time, host, app, process, messageId, end: at }
}

export function readPriority(bytes: SyslogBytes): ReturnType<typeof syslogPriority> {
  return syslogPriority(bytes.toString('latin1', 0, 5))
}

/** Bytes that are no UTF-8 become U+FFFD: an old device's umlauts cost neither its message nor those around it. */
export function readSyslogText(bytes: SyslogBytes, at: number): string {
  const start = bytes[at] === SPACE ? at + 1 : at
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf
  return bytes.toString('utf8', hasMark ? start + 3 : start)
}

const SPACE = 0x20
const VERSION_ONE = 0x31
