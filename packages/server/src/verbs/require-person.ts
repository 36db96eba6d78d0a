/** Who holds this session, and who they are inside a project. Both are asked for every request and never remembered. */
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'
import type { Session } from '../model/person.ts'
import { unknownToPerson } from './require-manager.ts'

export type PersonCaller = Extract<Caller, { kind: 'person' }>

/** Missing, unknown, ended and expired sessions are all refused with the same words. */
export async function requirePerson(
  control: Pick<Control, 'sessions'>,
  token: string | undefined,
  nowMs: number,
): Promise<Session> {
  const session = token === undefined ? null : await control.sessions.find(token, nowMs)
  if (!session) throw new AppError('unauthorized', 'You are not signed in, or your session has ended: sign in.')
  return session
}

export async function requireMember(
  control: Pick<Control, 'members'>,
  { person }: Session,
  projectId: string,
): Promise<PersonCaller> {
  const access = await control.members.access(person, projectId)
  if (!access) throw unknownToPerson()
  return { kind: 'person', personId: person.id, role: access.role, project: access.project }
}
