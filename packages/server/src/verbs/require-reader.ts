import { AppError } from '../errors.ts'
import type { Caller, ProjectWithSettings } from '../model/caller.ts'

/** An answer that took longer is given only when its key or session is still valid; an open tail is looked at so often. */
export const RECHECK_AFTER_MS = 1_000

/** Takes the value of the `Authorization` header, the only place where a read key is looked for. Caches nothing. */
export type AuthenticateReader = (authorization: string | undefined) => Promise<Caller>

/** Reading is for the holder of a read key in the key's own project, and for people in theirs, whatever their role. */
export function requireReader(caller: Caller): ProjectWithSettings {
  if (caller.kind === 'key' && caller.keyKind === 'read') return caller.project
  if (caller.kind === 'person') return caller.project
  throw new AppError('forbidden', 'Records are read with a read key of their project (tidemark_read_…): use one.')
}
