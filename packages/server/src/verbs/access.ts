/**
 * Who may do what. The operator manages every project; a person the one they ask in, as far as their role goes; a key none:
 * it reads, or sends, in its own. Sessions and memberships are looked up for every request and never cached.
 */

import { isAtLeast, type ProjectRole } from '@tidemark/wire/people/role'
import type { Change } from '../control/audit.ts'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import { type Caller, callerId } from '../model/caller.ts'
import type { Session } from '../model/person.ts'
import type { ProjectWithSettings } from '../model/project.ts'

/** What the verbs that change something work with. */
export type ControlParts = {
  control: Control
  /** Milliseconds since 1970. */
  now: () => number
}

export type PersonCaller = Extract<Caller, { kind: 'person' }>

/** Takes the value of the `Authorization` header, the only place where a read key is looked for. Caches nothing. */
export type AuthenticateReader = (authorization: string | undefined) => Promise<Caller>

/** An answer that took longer is given only if the key or session is still valid; open tails are checked this often. */
export const RECHECK_AFTER_MS = 1_000

/**
 * To be called before anything is given out: looks the caller up again `recheckAfterMs` after the last time, and throws
 * when the key or the session is no longer valid. The first lookup counts as done now. For every door that reads.
 */
export function rechecking(
  lookUp: () => Promise<unknown>,
  now: () => number,
  recheckAfterMs: number = RECHECK_AFTER_MS,
): () => Promise<void> {
  let checkedMs = now()
  let asked: Promise<void> | null = null
  return async () => {
    if (now() - checkedMs < recheckAfterMs) return
    // All who come during a lookup wait for it: until it answers, nothing is known.
    asked ??= lookUpFrom(now()).finally(() => {
      asked = null
    })
    await asked
  }

  async function lookUpFrom(askedMs: number): Promise<void> {
    await lookUp()
    checkedMs = askedMs
  }
}

/** `project` is an id, or for the operator also a unique name. */
export async function requireManager(
  { control }: { control: Pick<Control, 'projects'> },
  caller: Caller,
  { project, least }: { project: string; least: ProjectRole },
): Promise<ProjectWithSettings> {
  if (caller.kind === 'operator') return control.projects.find(project)
  if (caller.kind !== 'person') throw notForKeys()
  if (project !== caller.project.id) throw unknownToPerson()
  requireRole(caller, least)
  return caller.project
}

export function requireRole({ role }: PersonCaller, least: ProjectRole): void {
  if (isAtLeast(role, least)) return
  const who = least === 'owner' ? 'an owner' : 'an owner or a member'
  throw new AppError('forbidden', `This is for ${who} of the project: ask one of its owners.`)
}

/** For the operator of the service. */
export function requireOperator(caller: Caller): void {
  if (caller.kind === 'operator') return
  throw new AppError('forbidden', 'Only the operator of the service can do this: ask them.')
}

/** Reading is for the holder of a read key in the key's own project, and for people in theirs, whatever their role. */
export function requireReader(caller: Caller): ProjectWithSettings {
  if (caller.kind === 'key' && caller.keyKind === 'read') return caller.project
  if (caller.kind === 'person' || caller.kind === 'alert') return caller.project
  throw new AppError('forbidden', 'Reading records needs a read key of their project (tidemark_read_…).')
}

/** For what concerns a project as a whole: open to its people and to holders of any of its keys. */
export function requireKeyOrPerson(caller: Caller): ProjectWithSettings {
  if (caller.kind === 'operator') throw new AppError('forbidden', 'This needs a key of the project: use one.')
  return caller.project
}

/** Who holds this session. Missing, unknown, ended and expired ones are all refused with the same words. */
export async function requirePerson({ control, now }: ControlParts, token: string | undefined): Promise<Session> {
  const session = token === undefined ? null : await control.sessions.find(token, now())
  if (!session) throw new AppError('unauthorized', 'You are not signed in, or your session has ended: sign in.')
  return session
}

/** Who they are inside a project. */
export async function requireMember(
  { control }: ControlParts,
  { person }: Session,
  projectId: string,
): Promise<PersonCaller> {
  const access = await control.members.access(person, projectId)
  if (!access) throw unknownToPerson()
  return { kind: 'person', personId: person.id, role: access.role, project: access.project }
}

/** Who a change is recorded for, and when. */
export function changeBy({ now }: Pick<ControlParts, 'now'>, caller: Caller): Change {
  return { by: callerId(caller), nowMs: now() }
}

/** A key can never make or revoke keys. */
export function notForKeys(): AppError {
  return new AppError('forbidden', 'A key cannot do this: ask the operator of the service.')
}

/** The same words for a project that does not exist and for one that is not theirs. */
function unknownToPerson(): AppError {
  return new AppError(
    'not_found',
    'There is no such project, or it is not yours to see. List your projects to find one.',
  )
}
