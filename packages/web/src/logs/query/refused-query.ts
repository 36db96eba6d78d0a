import type { Span } from '@tidemark/wire/query/ast'
import { RequestError } from '../../api/request.ts'

/** Where in the query the service found a mistake that only it can find, such as in a regular expression. */
export function refusedPart(error: Error | null): Span | undefined {
  if (!(error instanceof RequestError)) return undefined
  const part = error.fields.find(({ path, from, to }) => path === 'query' && from !== undefined && to !== undefined)
  return part?.from === undefined || part.to === undefined ? undefined : { from: part.from, to: part.to }
}
