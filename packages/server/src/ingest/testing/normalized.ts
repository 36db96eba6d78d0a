/** One record through the plain path, in a project without settings of its own. */
import type { LogRecord } from '../../model/log-record.ts'
import { compileRedaction } from '../../redaction/redact.ts'
import { NO_REDACTION_CHANGES } from '../../redaction/settings.ts'
import { createNormalizer } from '../record/normalize.ts'
import { RECEIVED_US } from './read-body.ts'

export const normalize = createNormalizer({
  receivedUs: RECEIVED_US,
  defaultEnvironment: 'production',
  retentionDays: 30,
  needsCleaning: true,
  redaction: compileRedaction(NO_REDACTION_CHANGES),
  redactionCounts: new Map(),
})

export function accepted(value: unknown): LogRecord {
  const result = normalize(value)
  if (typeof result === 'string') throw new Error(`Rejected: ${result}`)
  return result
}

export function attributesOf(value: unknown): Record<string, unknown> {
  return Object.fromEntries(accepted(value).attributes)
}
