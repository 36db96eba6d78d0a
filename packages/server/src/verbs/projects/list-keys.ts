import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKey } from '../../model/key.ts'
import { requireManager } from '../require-manager.ts'

/** `project` is an id or a unique name. Newest first, revoked ones included. */
export function listKeys(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<ApiKey[]> => {
    const { id } = await requireManager(control, caller, { project: input.project, least: 'member' })
    return control.keys.list(id)
  }
}
