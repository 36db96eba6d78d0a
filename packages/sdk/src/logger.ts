import { LEVELS, type Level, rankOf } from './record/level.ts'
import { readCall } from './record/read-call.ts'
import type { Attributes, LogRecord } from './record/record.ts'
import { joinAttributes, liftFields } from './record/record-fields.ts'
import type { Sink } from './sink.ts'

export type LogMethod = {
  (message: string, attributes?: Attributes): void
  (message: string, error: unknown, attributes?: Attributes): void
  (error: unknown, attributes?: Attributes): void
  (error: unknown, message: string, attributes?: Attributes): void
}

export type Logger = Record<Level, LogMethod> & {
  log(level: Level, message: string, attributes?: Attributes): void
  log(level: Level, message: string, error: unknown, attributes?: Attributes): void
  log(level: Level, error: unknown, attributes?: Attributes): void
  /** A logger whose records also carry these. `logger`, `traceId` and `spanId` become the record's own fields. */
  child(attributes: Attributes): Logger
}

export function createLogger(sink: Sink, bound?: Attributes): Logger {
  const write = (level: Level, first: unknown, second: unknown, third: unknown): void => {
    const rank = rankOf(level)
    if (rank < sink.minimumRank) return
    const isError = rank >= ERROR_RANK
    if (!sink.takes(isError)) return
    try {
      sink.write(recordOf(sink, bound, level, readCall(first, second, third, isError)), isError)
    } catch (cause) {
      sink.unreadable(cause)
    }
  }
  const methods = Object.fromEntries(
    LEVELS.map((level) => [
      level,
      (first: unknown, second?: unknown, third?: unknown) => write(level, first, second, third),
    ]),
  ) as Record<Level, LogMethod>
  return {
    ...methods,
    log(level: Level, first: unknown, second?: unknown, third?: unknown) {
      write(LEVELS.includes(level) ? level : 'info', first, second, third)
    },
    child: (attributes) => createLogger(sink, joinAttributes(bound, attributes)),
  }
}

const ERROR_RANK = rankOf('error')

function recordOf(
  sink: Sink,
  bound: Attributes | undefined,
  level: Level,
  { message, error, attributes }: ReturnType<typeof readCall>,
): LogRecord {
  const record: LogRecord = {
    timeUs: sink.timeUs(),
    level,
    message,
    error,
    attributes: joinAttributes(bound, attributes),
  }
  liftFields(record)
  return record
}
