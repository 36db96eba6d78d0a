/** What winston passes to a transport, as one of our records. */
import { describeError, type ErrorDetail, isErrorLike } from '../record/describe-error.ts'
import type { LogRecord } from '../record/record.ts'
import { takeFields } from './foreign-fields.ts'
import { foreignTimeMs } from './foreign-time.ts'

/** winston's own marks; a format may have coloured the plain `level`. */
const LEVEL = Symbol.for('level')
const SPLAT = Symbol.for('splat')

export type WinstonInfo = { level?: unknown; message?: unknown; [key: string | symbol]: unknown }

/** Said elsewhere in the record. */
const TAKEN = new Set(['level', 'message', 'stack', 'cause', 'timestamp'])

export function winstonRecord(info: WinstonInfo, timeUs: (timeMs?: number) => number): LogRecord {
  const source = findError(info)
  const timeMs = foreignTimeMs(info.timestamp)
  const own = Object.fromEntries(Object.entries(info).filter(([key]) => !TAKEN.has(key) && key !== source.key))
  if (info.timestamp !== undefined && timeMs === undefined) own.timestamp = info.timestamp
  return {
    timeUs: timeUs(timeMs),
    level: levelOf(info),
    message: typeof info.message === 'string' ? info.message : '',
    error: source.error,
    ...takeFields(own),
    attributes: own,
  }
}

export function levelOf(info: WinstonInfo): string {
  return String(info[LEVEL] ?? info.level ?? 'info')
}

/** winston copies an error's message and stack into the info, in a different way for each form of the call. */
function findError(info: WinstonInfo): { error: ErrorDetail | undefined; key?: string } {
  const splat = info[SPLAT]
  const passed = Array.isArray(splat) ? splat.find(isErrorLike) : undefined
  if (passed !== undefined) return { error: describeError(passed) }
  if (isErrorLike(info.message)) return { error: describeError(info.message) }
  for (const key of ['err', 'error', 'exception']) {
    if (isErrorLike(info[key])) return { error: describeError(info[key]), key }
  }
  if (!isErrorLike(info)) return { error: undefined }
  // The info is the error, or has its stack from `format.errors`; its other properties are the record's attributes.
  const { details: _, ...error } = describeError(info)
  const original = String((info as { stack: unknown }).stack)
  return { error: (info as unknown) instanceof Error ? error : { ...error, ...headerOf(original, error) } }
}

/** A plain object has no class; the stack's first line names the error's. */
function headerOf(stack: string, { message, stack: made }: ErrorDetail): Pick<ErrorDetail, 'type' | 'stack'> {
  const type = /^([A-Za-z_$][\w$.]*)(?: \[[\w-]+\])?(?::|\n|$)/.exec(stack)?.[1]
  return type === undefined
    ? { type: '', stack: made }
    : { type, stack: made.replace(/^[^\n]*/, () => `${type}: ${message.split('\n', 1)[0]}`) }
}
