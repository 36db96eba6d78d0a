import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Member, ProjectRole } from '../../model/person.ts'
import { changeBy, requireManager } from '../require-manager.ts'

/** Holds from the member's next request on. */
export function changeMember(control: Control) {
  return async (caller: Caller, input: { project: string; personId: string; role: ProjectRole }): Promise<Member> => {
    const { id } = await requireManager(control, caller, { project: input.project, least: 'owner' })
    return control.members.changeRole(id, input.personId, input.role, changeBy(caller))
  }
}
