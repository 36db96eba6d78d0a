/** Milliseconds since 1970 of a time that another logger wrote; undefined when it is not certain which moment is meant. */
export function foreignTimeMs(value: unknown): number | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.getTime()
  if (typeof value === 'number') return epochMs(value)
  if (typeof value !== 'string') return undefined
  if (/^\d{9,19}(\.\d+)?$/.test(value)) return epochMs(Number(value))
  // Without a zone it could be any.
  return WITH_ZONE.test(value) ? valid(Date.parse(value)) : undefined
}

const WITH_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d.*(?:Z|[+-]\d\d:?\d\d)$/

/** Seconds, milliseconds, microseconds and nanoseconds are told apart by their size, as the service does. */
function epochMs(epoch: number): number | undefined {
  if (!(epoch >= 1e8)) return undefined
  if (epoch < 1e11) return epoch * 1e3
  if (epoch < 1e14) return epoch
  return epoch < 1e17 ? epoch / 1e3 : epoch / 1e6
}

function valid(ms: number): number | undefined {
  return Number.isNaN(ms) ? undefined : ms
}
