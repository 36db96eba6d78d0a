/** W3C trace context: the header that ties the records of one request together across services. */
export type TraceContext = { traceId: string; spanId: string; isSampled: boolean }

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
const VERSION = '00'

/** Null for anything that is not a valid header: a caller then starts a new trace. */
export function parseTraceparent(header: string | undefined): TraceContext | null {
  const [, version, traceId = '', spanId = '', flags = '', rest] = TRACEPARENT.exec(header?.trim() ?? '') ?? []
  if (version === undefined || version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return null
  // Only later versions may carry more fields.
  if (version === VERSION && rest !== undefined) return null
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

export function formatTraceparent({ traceId, spanId, isSampled }: TraceContext): string {
  return `${VERSION}-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
}
