/** Who may read: the holder of a read key, in its own project. The key is looked up on every call; nothing remembers it. */
import type { Keys } from '../control/keys.ts'
import { AppError } from '../errors.ts'
import type { Caller, ProjectWithSettings } from '../model/caller.ts'

/** Takes the value of the `Authorization` header, the only place where a read key is looked for. */
export type AuthenticateReader = (authorization: string | undefined) => Promise<Caller>

/**
 * Missing, unknown, expired and revoked keys and ingest keys are all refused with the same words, so that an answer never
 * tells a stranger what a key is or was.
 */
export function authenticateReader(keys: Pick<Keys, 'authenticate' | 'touch'>): AuthenticateReader {
  return async (authorization) => {
    const secret = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
    const found = secret === undefined ? undefined : await keys.authenticate(secret)
    if (found?.status !== 'ok' || found.key.kind !== 'read') {
      throw new AppError(
        'unauthorized',
        'This needs a valid read key: send it as `Authorization: Bearer tidemark_read_…`. Read keys are made in Settings → API & MCP keys, or with `tidemark key create --kind read`.',
      )
    }
    keys.touch(found.key.id, Date.now())
    return { kind: 'key', keyId: found.key.id, keyKind: found.key.kind, project: found.project }
  }
}

export function requireReader(caller: Caller): ProjectWithSettings {
  if (caller.kind === 'key' && caller.keyKind === 'read') return caller.project
  throw new AppError('forbidden', 'Records are read with a read key of their project (tidemark_read_…): use one.')
}
