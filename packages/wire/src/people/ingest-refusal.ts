/** Why something that was sent with a key was not stored, without schemas, so that the browser may load it. */
export const INGEST_REFUSALS = [
  'key_ended',
  'too_large',
  'malformed',
  'records',
  'over_rate',
  'over_quota',
  'not_stored',
] as const

export type IngestRefusal = (typeof INGEST_REFUSALS)[number]
