import type { Control } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { ApiKey } from '../model/key.ts'
import { requireOperator } from './require-operator.ts'

/** `project` is an id or a unique name. Newest first, revoked ones included. */
export function listKeys(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<ApiKey[]> => {
    requireOperator(caller)
    const { id } = await control.projects.find(input.project)
    return control.keys.list(id)
  }
}
