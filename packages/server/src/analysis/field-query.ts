/** Terms of a query that ask for one field. */
import { type Expression, NOWHERE } from '@tidemark/wire/query/ast'
import type { CoreField, Field } from '@tidemark/wire/query/fields'
import { printValue } from '@tidemark/wire/query/print'

export function equals(name: CoreField, value: string): Expression {
  return fieldEquals({ kind: 'core', name }, value)
}

/** Quoted only where it must be, as parsing and printing it would give. */
export function fieldEquals(field: Field, value: string): Expression {
  const match = { kind: 'literal', value, quoted: printValue(value) !== value } as const
  return { kind: 'field', field, match, span: NOWHERE }
}

export function has(name: CoreField): Expression {
  return { kind: 'has', field: { kind: 'core', name }, span: NOWHERE }
}
