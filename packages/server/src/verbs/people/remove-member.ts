import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import { changeBy, requireManager } from '../require-manager.ts'

/** Ends all sessions of the member at once. Everybody may remove themselves. */
export function removeMember(control: Control) {
  return async (caller: Caller, { project, personId }: { project: string; personId: string }): Promise<void> => {
    const isOwnStep = caller.kind === 'person' && caller.personId === personId
    const { id } = await requireManager(control, caller, { project, least: isOwnStep ? 'viewer' : 'owner' })
    await control.members.remove(id, personId, changeBy(caller))
  }
}
