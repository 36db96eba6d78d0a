/** Fields of a record that users of other loggers write beside the message. */
import type { Attributes, LogRecord } from '../record/record.ts'

/** The names under which a field is looked up; the first that is a text wins. A dotted name is also found nested. */
export const FIELD_NAMES = {
  logger: ['logger'],
  host: ['hostname', 'host'],
  service: ['service', 'service.name', 'app'],
  environment: ['environment', 'env', 'deployment.environment.name', 'deployment.environment'],
  release: ['release', 'version', 'service.version'],
  traceId: ['traceId', 'trace_id', 'trace.id'],
  spanId: ['spanId', 'span_id', 'span.id'],
} as const

/** What is found is no longer among the attributes. */
export function takeFields(
  from: Attributes,
  allNames: Record<string, readonly string[]> = FIELD_NAMES,
): Partial<LogRecord> {
  return Object.fromEntries(Object.entries(allNames).map(([field, names]) => [field, takeText(from, names)]))
}

export function takeText(from: Attributes, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = from[name] ?? nested(from, name)
    if (typeof value !== 'string' || value === '') continue
    // What is nested stays where it is: its neighbours belong to it.
    delete from[name]
    return value
  }
  return undefined
}

function nested(from: Attributes, name: string): unknown {
  return name.split('.').reduce<unknown>((value, part) => (value as Attributes | null | undefined)?.[part], from)
}
