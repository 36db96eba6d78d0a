/** A line that pino wrote, as one of our records. What pino's users write beside the message keeps its meaning. */
import type { ErrorDetail } from '../record/describe-error.ts'
import type { Attributes, LogRecord } from '../record/record.ts'
import { FIELD_NAMES, takeFields, takeText } from './foreign-fields.ts'
import { foreignTimeMs } from './foreign-time.ts'

export type PinoKeys = { messageKey: string; errorKey: string }
export const PINO_KEYS: PinoKeys = { messageKey: 'msg', errorKey: 'err' }

const NAMES = { ...FIELD_NAMES, logger: ['name', ...FIELD_NAMES.logger] }

export function pinoRecord(line: Attributes, keys: PinoKeys, timeUs: (timeMs?: number) => number): LogRecord {
  const rest = { ...line }
  const { level, time } = rest
  delete rest.level
  const timeMs = foreignTimeMs(time)
  if (timeMs !== undefined) delete rest.time
  const message = takeText(rest, [keys.messageKey, 'msg', 'message']) ?? ''
  const error = takeError(rest, [keys.errorKey, 'err', 'error'])
  return {
    timeUs: timeUs(timeMs),
    level: typeof level === 'string' || typeof level === 'number' ? level : 'info',
    message,
    error,
    ...takeFields(rest, NAMES),
    attributes: rest,
  }
}

function takeError(from: Attributes, names: readonly string[]): ErrorDetail | undefined {
  for (const name of names) {
    const value = from[name]
    if (typeof value !== 'object' || value === null) continue
    const { type, message, stack, aggregateErrors, ...details } = value as Attributes
    if (typeof message !== 'string' && typeof stack !== 'string') continue
    delete from[name]
    return {
      type: text(type) || text((value as Attributes).name),
      message: text(message),
      stack: withParts(withCauses(text(stack)), aggregateErrors),
      details,
    }
  }
  return undefined
}

/** pino's own word for a cause is not one that the service reads. */
function withCauses(stack: string): string {
  return stack.replaceAll('\ncaused by: ', '\n  [cause]: ')
}

const MAX_PARTS = 7

/** One of each kind: how many failed the same way must not make another group. */
function withParts(stack: string, parts: unknown): string {
  if (!Array.isArray(parts)) return stack
  const kinds = new Map<string, string>()
  for (const part of parts.slice(0, 50)) {
    const own = text((part as Attributes | null)?.stack)
    const frames = own.slice(own.indexOf('\n    at '))
    if (own !== '' && !kinds.has(frames) && kinds.size < MAX_PARTS) kinds.set(frames, withCauses(own))
  }
  return [stack, ...[...kinds.values()].map((own) => `  [cause]: ${own}`)].join('\n')
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
