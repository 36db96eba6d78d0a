import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import type { Keys } from './keys.ts'

export type KeyCaller = Extract<Caller, { kind: 'key' }>

/**
 * Who holds this ingest key. Missing, unknown, expired and revoked keys are all 401 with the same words, so that an
 * answer never tells a stranger that a key once existed; a read key is 403, because its holder can mend that.
 */
export async function authenticateIngest(keys: Keys, secret: string | undefined): Promise<KeyCaller> {
  const found = secret === undefined ? undefined : await keys.authenticate(secret)
  if (found?.status !== 'ok') {
    throw new AppError(
      'unauthorized',
      'This needs a valid ingest key (tidemark_ingest_…). Keys are made in Settings or with `tidemark key create --kind ingest`.',
    )
  }
  if (found.key.kind !== 'ingest') {
    throw new AppError(
      'forbidden',
      'This is a read key; sending logs and deploys needs an ingest key (tidemark_ingest_…).',
    )
  }
  keys.touch(found.key.id, Date.now())
  return { kind: 'key', keyId: found.key.id, keyKind: found.key.kind, project: found.project }
}
