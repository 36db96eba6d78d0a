/**
 * A read key asks, an ingest key sends, a webhook key signs the deploys that others announce. A plain list, so that
 * code that needs only this loads no schema.
 */
export const KEY_KINDS = ['read', 'ingest', 'webhook'] as const

export type KeyKind = (typeof KEY_KINDS)[number]

/** What a key of this kind begins with. */
export const keyPrefix = (kind: KeyKind) => `tidemark_${kind}_`
