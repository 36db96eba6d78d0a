/** What ties the records of one request or job together. */
import { parseTraceparent } from './trace-context.ts'

export type Context = {
  traceId?: string | undefined
  spanId?: string | undefined
  /** Everything else becomes an attribute of every record. */
  [attribute: string]: unknown
}

/** A context as it is given: a `traceparent` header stands for trace and span. */
export type ContextInput = Context & { traceparent?: string | readonly string[] | undefined }

/**
 * Outer and inner context as one. A `traceparent` that is not valid, or the header of a request that had none, begins a
 * new trace, so that the records of that request still belong together.
 */
export function joinContexts(outer: Context | undefined, given: ContextInput, { randomBytes }: RandomSource): Context {
  if (!('traceparent' in given)) return { ...outer, ...given }
  const { traceparent, ...rest } = given
  const header = typeof traceparent === 'string' ? traceparent : traceparent?.[0]
  const trace = parseTraceparent(typeof header === 'string' ? header : undefined)
  const ids = trace ?? { traceId: hex(randomBytes(16)), spanId: hex(randomBytes(8)) }
  return { ...outer, traceId: ids.traceId, spanId: ids.spanId, ...rest }
}

type RandomSource = { randomBytes(count: number): Uint8Array }

export function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
