/** A read key asks, an ingest key sends. A plain list: who only needs it loads no schema. */
export const KEY_KINDS = ['read', 'ingest'] as const

export type KeyKind = (typeof KEY_KINDS)[number]
