import { isObject } from '@tidemark/wire/is-object'
import { AppError } from '../../errors.ts'

/** One JSON document: our own forms as entries still to be normalized, or an OTLP request as it is. */
type JsonDocument =
  | { protocol: 'json'; entries: unknown[]; projectKey: string | null }
  | { protocol: 'otlp-json'; request: Record<string, unknown> }

export function parseJsonDocument(text: string): JsonDocument {
  const value = parse(text)
  if (Array.isArray(value)) return { protocol: 'json', entries: value, projectKey: null }
  if (!isObject(value)) {
    throw new AppError(
      'invalid_request',
      'The body must be a JSON object with `logs`, an array of records, or one record.',
    )
  }
  if (Object.hasOwn(value, 'resourceLogs')) return { protocol: 'otlp-json', request: value }
  const projectKey = typeof value.projectApiKey === 'string' ? value.projectApiKey : null
  if (!Object.hasOwn(value, 'logs')) return { protocol: 'json', entries: [value], projectKey }
  if (!Array.isArray(value.logs)) throw new AppError('invalid_request', '`logs` must be an array of records.')
  return { protocol: 'json', entries: value.logs, projectKey }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new AppError(
      'invalid_request',
      'The body is not valid JSON. Send one JSON document, or one record per line as application/x-ndjson.',
      { cause },
    )
  }
}
