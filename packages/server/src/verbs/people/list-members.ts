import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Member } from '../../model/person.ts'
import { requireManager } from '../require-manager.ts'

/** Every member may see the others. */
export function listMembers(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<Member[]> => {
    const { id } = await requireManager(control, caller, { ...input, least: 'viewer' })
    return control.members.list(id)
  }
}
