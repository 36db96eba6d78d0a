/** A read key asks, an ingest key sends, a webhook key signs the deploys that others announce. A plain list: who only needs it loads no schema. */
export const KEY_KINDS = ['read', 'ingest', 'webhook'] as const

export type KeyKind = (typeof KEY_KINDS)[number]
