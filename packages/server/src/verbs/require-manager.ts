/** Who may manage a project: the operator every one, a person the one they ask in, as far as their role goes, a key none. */
import type { Change } from '../control/audit.ts'
import type { Control } from '../control/open.ts'
import { AppError } from '../errors.ts'
import type { Caller, ProjectWithSettings } from '../model/caller.ts'
import { isAtLeast, type ProjectRole } from '../model/person.ts'

/** `project` is an id, or for the operator also a unique name. */
export async function requireManager(
  control: Pick<Control, 'projects'>,
  caller: Caller,
  { project, least }: { project: string; least: ProjectRole },
): Promise<ProjectWithSettings> {
  if (caller.kind === 'operator') return control.projects.find(project)
  if (caller.kind === 'key') throw new AppError('forbidden', 'A key cannot do this: ask whoever runs the service.')
  if (project !== caller.project.id) throw unknownToPerson()
  if (!isAtLeast(caller.role, least)) throw needsRole(least)
  return caller.project
}

/** Who a change is written down for. */
export function changeBy(caller: Caller, nowMs: number = Date.now()): Change {
  if (caller.kind === 'operator') return { by: caller.kind, nowMs }
  return { by: caller.kind === 'person' ? caller.personId : caller.keyId, nowMs }
}

export function needsRole(least: ProjectRole): AppError {
  const who = least === 'owner' ? 'an owner' : 'an owner or a member'
  return new AppError('forbidden', `This is for ${who} of the project: ask one of its owners.`)
}

/** The same words for a project that does not exist and for one that is not theirs. */
export function unknownToPerson(): AppError {
  return new AppError(
    'not_found',
    'There is no such project, or it is not yours to see. List your projects to find one.',
  )
}
