/**
 * The fields every record has, by the names people type for them. Any other name is an attribute; `@` in front makes even
 * one of these names an attribute.
 */
import { ALSO_ATTRIBUTES, namesOf, SLOTS, type Slot } from '../field-names.ts'
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

export type Field = { kind: 'core'; name: CoreField } | { kind: 'attribute'; name: string }

const SLOT_OF: Partial<Record<CoreField, Slot>> = {
  'error.type': 'errorType',
  'error.message': 'errorMessage',
  'error.stack': 'errorStack',
}

/** Our own names, and those that ingest understands for the same things: people find a field by the name they send. */
const BY_NAME: ReadonlyMap<string, CoreField> = new Map(
  (Object.keys(CORE_FIELDS) as CoreField[]).flatMap((field) =>
    [field, ...sentNames(field)].map((name): [string, CoreField] => [name.toLowerCase(), field]),
  ),
)

function sentNames(field: CoreField): string[] {
  const slot = SLOT_OF[field] ?? SLOTS.find((name) => name === field)
  return slot === undefined ? [] : namesOf(slot).filter((name) => !ALSO_ATTRIBUTES.has(name))
}

export function coreField(name: string): CoreField | undefined {
  return BY_NAME.get(name.toLowerCase())
}

/** A field by the name people type; `@` in front makes it an attribute. */
export function fieldNamed(name: string): Field {
  if (name.length > 1 && name.startsWith('@')) return { kind: 'attribute', name: name.slice(1) }
  const core = coreField(name)
  return core === undefined ? { kind: 'attribute', name } : { kind: 'core', name: core }
}

/** The same backwards: an attribute that would be read as something else is written with an `@`. */
export function nameOfField(field: Field): string {
  const isRead = field.kind === 'core' || sameField(fieldNamed(field.name), field)
  return isRead ? field.name : `@${field.name}`
}

export function sameField(one: Field, other: Field): boolean {
  return one.kind === other.kind && one.name === other.name
}

export function isHashField(field: Field): boolean {
  return field.kind === 'core' && CORE_FIELDS[field.name].kind === 'hash'
}

export function levelNamed(text: string): Level | undefined {
  return LEVEL_WORDS.get(text.toLowerCase())
}
