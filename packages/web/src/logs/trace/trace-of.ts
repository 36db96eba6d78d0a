import { conjunctsOf } from '@tidemark/wire/query/ast'
import { parseQuery } from '@tidemark/wire/query/parse'

/** The one trace that every record of the query belongs to, if it asks for one. */
export function traceOf(query: string | undefined): string | undefined {
  const parsed = parseQuery(query ?? '')
  if (!parsed.ok) return undefined
  const ids = conjunctsOf(parsed.query).flatMap((part) => {
    const isOfTrace = part.kind === 'field' && part.field.kind === 'core' && part.field.name === 'traceId'
    return isOfTrace && part.match.kind === 'literal' ? [part.match.value] : []
  })
  return ids.length === 1 ? ids[0] : undefined
}
