import type { Span } from './ast.ts'

/** What is wrong and where (offsets in the text), and a way to fix it. */
export type QueryError = Span & { message: string; hint: string }

/** Thrown inside the parser only; `parseQuery` turns it into a value. */
export class QueryProblem extends Error {
  readonly error: QueryError

  constructor(span: Span, message: string, hint: string) {
    super(message)
    this.error = { message, from: span.from, to: span.to, hint }
  }
}

/** People count characters from one. */
export function place(offset: number): string {
  return `character ${offset + 1}`
}
