import { allOf, type Expression } from '@tidemark/wire/query/ast'
import type { ContextInput } from '@tidemark/wire/reading/context'
import { equals } from '../../../analysis/field-query.ts'
import type { StoredRecord } from '../../../logstore/questions.ts'

export type NeighboursBy = NonNullable<ContextInput['by']>

/**
 * The records beside one; null where it has nothing to go by. By time and by host those of other environments are not
 * neighbours; a trace may cross environments.
 */
export function neighboursBy({ environment, host, traceId }: StoredRecord, by: NeighboursBy): Expression | null {
  const here = equals('environment', environment)
  if (by === 'time') return here
  if (by === 'trace') return traceId === '' ? null : equals('traceId', traceId)
  return host === '' ? null : allOf([here, equals('host', host)])
}
