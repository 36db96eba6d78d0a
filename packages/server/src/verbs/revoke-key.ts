import type { Control } from '../control/open.ts'
import type { Caller } from '../model/caller.ts'
import type { ApiKey } from '../model/key.ts'
import { requireOperator } from './require-operator.ts'

/** Takes effect before it returns: no request that begins later is let in, on any node. */
export function revokeKey(control: Control) {
  return async (caller: Caller, input: { id: string }): Promise<{ key: ApiKey; changed: boolean }> => {
    requireOperator(caller)
    return control.keys.revoke(input.id, { by: caller.kind, nowMs: Date.now() })
  }
}
