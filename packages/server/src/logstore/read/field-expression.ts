/** A field of a record as an SQL expression that gives text, and NULL for records without it. */
import { MAX_COUNTED_VALUE_CHARACTERS } from '@tidemark/wire/limits'
import { CORE_FIELDS, type CoreField, type Field } from '@tidemark/wire/query/fields'
import { AppError } from '../../errors.ts'
import { unquotedSql } from '../schema/attribute-text.ts'
import { COLUMN_OF } from '../schema/columns.ts'
import type { Values } from './read-connection.ts'

/** `parameter` is the name under which the expression finds an attribute's name. */
export function fieldExpression(field: Field, parameter: string): { sql: string; values: Values } {
  if (field.kind === 'attribute') return { sql: attributeExpression(parameter), values: { [parameter]: field.name } }
  if (field.name === 'id') {
    throw new AppError('invalid_request', 'Every record has an id of its own: group by another field.')
  }
  return { sql: coreExpression(field.name), values: {} }
}

/** A handful of long texts would fill an answer. */
export function shortened(text: string): string {
  return `substringUTF8(${text}, 1, ${MAX_COUNTED_VALUE_CHARACTERS})`
}

/** A record as a list of the fields it has: ours (`own` = 1) and the sender's, which may have the same name. */
export const ITEMS = 'Array(Tuple(UInt8, String, String))'

/** A name of ours that the record lacks has an empty value. */
export function ownItems(names: readonly Exclude<CoreField, 'id'>[]): string {
  return `[${names.map((name) => `(1, '${name}', toString(${COLUMN_OF[name]}))`).join(', ')}]::${ITEMS}`
}

export function sentItems(attributes = 'attributes'): string {
  return `arrayMap((k, v) -> (0, toString(k), v), mapKeys(${attributes}), mapValues(${attributes}))::${ITEMS}`
}

/** 16 hexadecimal digits. */
export function hashText(column: string): string {
  return `lower(leftPad(hex(${column}), 16, '0'))`
}

function attributeExpression(parameter: string): string {
  const name = `{${parameter}:String}`
  return `if(mapContains(attributes, ${name}), ${shortened(unquotedSql(`attributes[${name}]`))}, NULL)`
}

function coreExpression(name: Exclude<CoreField, 'id'>): string {
  const column = COLUMN_OF[name]
  const { kind } = CORE_FIELDS[name]
  if (kind === 'hash') return `if(${column} = 0, NULL, ${hashText(column)})`
  return `nullIf(${kind === 'prose' ? shortened(column) : `toString(${column})`}, '')`
}
