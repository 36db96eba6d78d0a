import type { KEY_KINDS } from '@tidemark/wire/key'
import type { ProjectId } from './project.ts'

export type KeyKind = (typeof KEY_KINDS)[number]

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
  /** Coarse: written about once a minute. */
  lastUsedAt: string | null
}

/** For secret scanners and for whoever must tell one from other text: finds a key anywhere in a text. Make a new RegExp to search globally. */
export const KEY_PATTERN = /\btidemark_(?:read|ingest)_[0-9A-Za-z]{36,}\b/
