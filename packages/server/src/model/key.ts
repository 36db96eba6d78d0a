import { KEY_KINDS, type KeyKind, type KeyState, keyPrefix } from '@tidemark/wire/people/key-kind'
import type { ProjectId } from './project.ts'

/** What may be shown of a key at any time. The secret itself is shown once, when the key is made. */
export type ApiKey = {
  id: string
  projectId: ProjectId
  kind: KeyKind
  name: string
  lastFour: string
  createdAt: string
  createdBy: string
  expiresAt: string | null
  revokedAt: string | null
  /** When it was read. */
  state: KeyState
  /** Coarse: written about once a minute. */
  lastUsedAt: string | null
  /** The OAuth client that a person gave it to; null for a key that was made by hand. */
  client: KeyClient | null
}

/** `name` is what the client calls itself. `host` is where the key was sent: nobody can claim another's. */
export type KeyClient = { id: string; name: string; host: string }

/** The form of our own keys, for all code that makes, checks, finds or hides them: `tidemark_<kind>_` and a fixed length. */
export const KEY_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const KEY_CHARACTERS = 36

/** The prefix of any kind, as the source of a pattern. */
export const ANY_KEY_PREFIX = `(?:${KEY_KINDS.map(keyPrefix).join('|')})`
const KEY_START = new RegExp(`^${ANY_KEY_PREFIX}`)

/** Tells keys from credentials that a proxy adds. The key may be mistyped, revoked or unknown. */
export function isLikeKey(text: string): boolean {
  return KEY_START.test(text)
}
