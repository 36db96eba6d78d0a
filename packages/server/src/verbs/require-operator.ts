import { AppError } from '../errors.ts'
import type { Caller } from '../model/caller.ts'

/** Managing projects and keys is for whoever runs the service; a key can never make or revoke keys. */
export function requireOperator(caller: Caller): void {
  if (caller.kind !== 'operator') throw new AppError('forbidden', 'A key cannot do this: ask whoever runs the service.')
}
