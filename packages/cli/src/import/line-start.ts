/** The time and level at the beginning of a text line, and for syslog the fields before its text. */
import { readLayout } from '@tidemark/wire/senders/line-layouts'
import { fieldsBeside } from './beside.ts'
import { readSyslogLine, type SyslogLine } from './syslog-line.ts'

export type LineStart = {
  timestamp?: string
  level?: string
  message: string
  [attribute: string]: unknown
}

export function readLineStart(line: string): LineStart {
  const syslog = readSyslogLine(line)
  if (syslog) return startOfSyslogLine(syslog)
  const { time, ...start } = levelled(line)
  return { ...(time && { timestamp: time }), ...start }
}

export function startOfSyslogLine({ time: sent, beside, text }: SyslogLine): LineStart {
  const hasLevel = beside.some(({ place }) => place !== 'none' && place?.slot === 'level')
  const { time, ...stated } = levelled(text)
  // A time inside the text is part of it: the time of the header counts.
  const own = hasLevel ? { message: text } : time === undefined ? stated : { ...stated, message: text }
  return { ...fieldsBeside(own, { time: sent, beside }), ...own }
}

/** A line that holds nothing but its time and level keeps them as its message. */
function levelled(line: string): { time?: string; level?: string; message: string } {
  const { textAt = 0, ...stated } = readLayout(line) ?? {}
  return { ...stated, message: line.slice(textAt) || line }
}
