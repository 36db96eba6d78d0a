/**
 * The fields every record has, by the names people type for them. Any other name is an attribute; `@` in front makes even
 * one of these names an attribute.
 */
import { LEVEL_WORDS, type Level } from '../level.ts'

/**
 * What can be asked of a field:
 * - `level`: one of the levels, in order
 * - `name`: a short text, compared whole and exactly
 * - `prose`: a long text, searched for words without regard to case
 * - `trace`: an id that senders write in either case
 * - `hash`: 16 hexadecimal digits
 * - `id`: the id of a record
 */
export type FieldKind = 'level' | 'name' | 'prose' | 'trace' | 'hash' | 'id'

export const CORE_FIELDS = {
  level: { kind: 'level', about: 'trace, debug, info, warn, error or fatal' },
  service: { kind: 'name', about: 'the service that logged' },
  environment: { kind: 'name', about: 'where it runs' },
  host: { kind: 'name', about: 'the machine or container' },
  logger: { kind: 'name', about: 'the logger inside the service' },
  release: { kind: 'name', about: 'the version that logged' },
  message: { kind: 'prose', about: 'the message; free words search it too' },
  traceId: { kind: 'trace', about: 'the trace it belongs to' },
  spanId: { kind: 'trace', about: 'the span it belongs to' },
  pattern: { kind: 'hash', about: 'records with the same message template' },
  fingerprint: { kind: 'hash', about: 'errors of the same kind' },
  id: { kind: 'id', about: 'one record' },
  'error.type': { kind: 'name', about: 'the class of the error' },
  'error.message': { kind: 'prose', about: 'what the error says' },
  'error.stack': { kind: 'prose', about: 'where the error came from' },
} as const satisfies Record<string, { kind: FieldKind; about: string }>

export type CoreField = keyof typeof CORE_FIELDS

/** The names that ingest understands for the same things, so that people find them by the name they send. */
const ALIASES: Record<string, CoreField> = {
  severity: 'level',
  env: 'environment',
  'deployment.environment': 'environment',
  'deployment.environment.name': 'environment',
  'service.name': 'service',
  hostname: 'host',
  'host.name': 'host',
  'service.version': 'release',
  msg: 'message',
  trace_id: 'traceId',
  'trace.id': 'traceId',
  span_id: 'spanId',
  'span.id': 'spanId',
  'exception.type': 'error.type',
  'exception.message': 'error.message',
  'exception.stacktrace': 'error.stack',
}

const BY_NAME: ReadonlyMap<string, CoreField> = new Map([
  ...(Object.keys(CORE_FIELDS) as CoreField[]).map((name): [string, CoreField] => [name.toLowerCase(), name]),
  ...Object.entries(ALIASES),
])

export function coreField(name: string): CoreField | undefined {
  return BY_NAME.get(name.toLowerCase())
}

export function isHashField({ kind, name }: { kind: 'core' | 'attribute'; name: string }): boolean {
  return kind === 'core' && CORE_FIELDS[name as CoreField].kind === 'hash'
}

export function levelNamed(text: string): Level | undefined {
  return LEVEL_WORDS.get(text.toLowerCase())
}
