/** A field of a record as an SQL expression that gives text, and NULL for records without it. */
import type { Field } from '@tidemark/wire/query/ast'
import { CORE_FIELDS, type CoreField } from '@tidemark/wire/query/fields'
import { AppError } from '../../errors.ts'
import type { Values } from './read-connection.ts'

/** Longer texts are counted by their beginning, or a handful of them would fill an answer. */
export const MAX_VALUE_CHARACTERS = 256

const COLUMNS: Record<Exclude<CoreField, 'id'>, string> = {
  level: 'toString(level)',
  service: 'service',
  environment: 'environment',
  host: 'host',
  logger: 'logger',
  release: 'release',
  message: 'message',
  traceId: 'trace_id',
  spanId: 'span_id',
  pattern: 'pattern',
  fingerprint: 'fingerprint',
  'error.type': 'error_type',
  'error.message': 'error_message',
  'error.stack': 'error_stack',
}

/** `parameter` is the name under which the expression finds an attribute's name. */
export function fieldExpression(field: Field, parameter: string): { sql: string; values: Values } {
  if (field.kind === 'attribute') return { sql: attributeExpression(parameter), values: { [parameter]: field.name } }
  if (field.name === 'id') {
    throw new AppError('invalid_request', 'Every record has an id of its own: group by another field.')
  }
  return { sql: coreExpression(field.name), values: {} }
}

/** Text for a JSON string without its quotes, for all other stored text as it is (attribute-text.ts). */
export function plainText(text: string): string {
  return `if(startsWith(${text}, '"') AND isValidJSON(${text}), JSONExtractString(${text}), ${text})`
}

export function shortened(text: string): string {
  return `substringUTF8(${text}, 1, ${MAX_VALUE_CHARACTERS})`
}

function attributeExpression(parameter: string): string {
  const name = `{${parameter}:String}`
  return `if(mapContains(attributes, ${name}), ${shortened(plainText(`attributes[${name}]`))}, NULL)`
}

function coreExpression(name: Exclude<CoreField, 'id'>): string {
  const column = COLUMNS[name]
  const { kind } = CORE_FIELDS[name]
  if (kind === 'hash') return `if(${column} = 0, NULL, lower(leftPad(hex(${column}), 16, '0')))`
  return `nullIf(${kind === 'prose' ? shortened(column) : `toString(${column})`}, '')`
}
