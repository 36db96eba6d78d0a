/** Keys of a project under `/api/projects/:projectId/keys`, for its owners and members. */
import { z } from 'zod'
import { MAX_DURATION_CHARACTERS, MAX_SENT_NAME_CHARACTERS } from '../limits.ts'
import { KEY_KINDS, KEY_STATES } from './key-kind.ts'

const keyKind = z.enum(KEY_KINDS)

const apiKey = z.object({
  id: z.string(),
  kind: keyKind,
  name: z.string(),
  lastFour: z.string(),
  createdAt: z.string(),
  /** The id of a person, or `operator` for the command line. */
  createdBy: z.string(),
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** When it was answered. */
  state: z.enum(KEY_STATES),
  /** Up to a minute behind. */
  lastUsedAt: z.string().nullable(),
  /** The OAuth client it was given to: what it calls itself, and where the key was sent. Null for a key made by hand. */
  client: z.object({ name: z.string(), host: z.string() }).nullable(),
})

/** Newest first, revoked ones included. */
export const keysAnswer = z.object({ keys: z.array(apiKey) })

/** `expiresIn` is written like `12h`, `90d`, `8w` or `1y`; without it the key does not expire. */
export const createKeyInput = z.object({
  kind: keyKind,
  name: z.string().max(MAX_SENT_NAME_CHARACTERS).optional(),
  expiresIn: z.string().max(MAX_DURATION_CHARACTERS).optional(),
})
/**
 * The only time the secret is shown. A webhook key has it twice: as it is, and as a signing token in the form of GitLab.
 */
export const createdKeyAnswer = z.object({ key: apiKey, secret: z.string(), signingToken: z.string().optional() })

/** `DELETE …/keys/:keyId`. `changed` is false when it had already been revoked. */
const revokedKeyAnswer = z.object({ key: apiKey, changed: z.boolean() })

export type ApiKey = z.infer<typeof apiKey>
export type KeysAnswer = z.infer<typeof keysAnswer>
export type CreateKeyInput = z.infer<typeof createKeyInput>
export type CreatedKeyAnswer = z.infer<typeof createdKeyAnswer>
export type RevokedKeyAnswer = z.infer<typeof revokedKeyAnswer>
