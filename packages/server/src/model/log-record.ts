import { isErrorLevel, type Level } from '@tidemark/wire/level'

/** A scalar or a JSON text of an array; nested objects are flattened to dotted keys before they get here. */
export type AttributeValue = string | number | boolean | null

/** One log entry as it is understood after parsing, before it is stored. */
export type LogRecord = {
  /** Microseconds since 1970, UTC. A double holds them exactly until the year 2255. */
  timeUs: number
  level: Level
  /** Kept exactly as sent: never trimmed, never mapped. */
  environment: string
  /** True when the sender gave none and the project's default was used. */
  environmentDefaulted: boolean
  service: string
  host: string
  logger: string
  release: string
  traceId: string
  spanId: string
  message: string
  /** True when the message was cut at its limit. */
  truncated: boolean
  error: ErrorDetail | null
  /** In the order they were sent. A Map, because the keys are a stranger's. Arrays are kept as JSON text. */
  attributes: Map<string, AttributeValue>
}

/** Empty strings where the sender said nothing. */
export type ErrorDetail = { type: string; message: string; stack: string }

/** Error = level `error` or `fatal`, or a record that carries an error. */
export function isError(record: Pick<LogRecord, 'level' | 'error'>): boolean {
  return isErrorLevel(record.level) || record.error !== null
}
