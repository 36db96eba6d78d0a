import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKey } from '../../model/key.ts'
import { isAtLeast } from '../../model/person.ts'
import { changeBy, needsRole } from '../require-manager.ts'

/** Takes effect before it returns: no request that begins later is let in, on any node. */
export function revokeKey(control: Control) {
  return async (caller: Caller, input: { id: string }): Promise<{ key: ApiKey; changed: boolean }> => {
    if (caller.kind === 'key') throw new AppError('forbidden', 'A key cannot do this: ask whoever runs the service.')
    if (caller.kind === 'person' && !isAtLeast(caller.role, 'member')) throw needsRole('member')
    const within = caller.kind === 'person' ? caller.project.id : undefined
    return control.keys.revoke(input.id, changeBy(caller), within)
  }
}
