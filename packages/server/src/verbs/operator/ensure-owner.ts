import { hashPassword } from '../../control/accounts/password.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Person } from '../../model/person.ts'

/** Who came by the printed link has this e-mail too, until they choose their own. */
const OWNER = { email: 'owner@localhost', name: 'Owner', role: 'owner' } as const

/**
 * At the start, with a password from the configuration: makes the owner, or gives the password to an owner who has none.
 * An owner with a password keeps it, so that an old variable does not undo a change. Any number of nodes may do this at once.
 */
export async function ensureOwner(control: Control, password: string, nowMs: number = Date.now()): Promise<void> {
  const owner = await control.accounts.firstOwner()
  if (owner?.hasPassword) return
  const passwordHash = await hashPassword(password)
  const { id, email, name } = owner ?? (await firstOwner(control, nowMs, passwordHash))
  if (owner) await control.accounts.change(id, { email, name, passwordHash }, { by: 'operator', nowMs })
}

/** The owner there is, or a new one. */
export async function firstOwner(control: Control, nowMs: number, passwordHash: string | null = null): Promise<Person> {
  const existing = await control.accounts.firstOwner()
  if (existing) return existing
  try {
    return await control.accounts.create({ ...OWNER, passwordHash }, { by: 'operator', nowMs })
  } catch (error) {
    // Another node was faster.
    const other = error instanceof AppError && error.code === 'conflict' ? await control.accounts.firstOwner() : null
    if (!other) throw error
    return other
  }
}
