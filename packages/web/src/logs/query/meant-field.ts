import { parseQuery } from '@tidemark/wire/query/parse'

/** `service=checkout` looks for that very text: the query with the colon that was likely meant, or undefined. */
export function meantField(query: string): string | undefined {
  // Not inside of quotes, nor after a field and its colon, where `=` is part of a value.
  const meant = query.replace(/("(?:[^"\\]|\\.)*")|(^|[\s(])(-?[\w.@]+)=(?=[^\s=])/g, (whole, quoted, before, name) =>
    quoted === undefined ? `${before}${name}:` : whole,
  )
  return meant !== query && parseQuery(meant).ok ? meant : undefined
}
