import type { ErrorDetail } from './describe-error.ts'

/** Anything; what JSON cannot represent is described in words. */
export type Attributes = Record<string, unknown>

/** One record on its way to the service. Absent names are filled from the options. */
export type LogRecord = {
  /** Microseconds since 1970. */
  timeUs: number
  /** One of ours, or another logger's own word or number, which the service translates. */
  level: string | number
  message: string
  logger?: string | undefined
  environment?: string | undefined
  service?: string | undefined
  release?: string | undefined
  host?: string | undefined
  traceId?: string | undefined
  spanId?: string | undefined
  error?: ErrorDetail | undefined
  attributes: Attributes
}
