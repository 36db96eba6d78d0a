/**
 * A read key asks, an ingest key sends, a webhook key signs the deploys that others announce. A plain list, so that
 * code that needs only this loads no schema.
 */
export const KEY_KINDS = ['read', 'ingest', 'webhook'] as const

export type KeyKind = (typeof KEY_KINDS)[number]

/** What a key of this kind begins with. */
export const keyPrefix = (kind: KeyKind) => `tidemark_${kind}_`

/** The service decides by its own clock, with the rule by which it refuses a key. */
export const KEY_STATES = ['active', 'expired', 'revoked'] as const

export type KeyState = (typeof KEY_STATES)[number]

export const KEY_STATE_WORDS = {
  active: 'Active',
  expired: 'Expired',
  revoked: 'Revoked',
} as const satisfies Record<KeyState, string>
