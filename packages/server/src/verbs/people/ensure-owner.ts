import { passwordProblem } from '../../control/accounts/input.ts'
import { hashPassword } from '../../control/accounts/password.ts'
import { AppError } from '../../errors.ts'
import type { Person } from '../../model/person.ts'
import type { ControlParts } from '../access.ts'

/** An owner who came by the printed link has this e-mail too, until they choose their own. */
const OWNER = { email: 'owner@localhost', name: 'Owner', role: 'owner' } as const

/**
 * At the start, with a password from the configuration: makes the owner, or gives the password to an owner who has none.
 * An owner with a password keeps it, so that an old variable does not undo a change, nor stop a start. Any number of nodes
 * may do this at once.
 */
export async function ensureOwner(parts: ControlParts, password: string): Promise<void> {
  const { accounts } = parts.control
  const owner = await accounts.firstOwner()
  if (owner?.hasPassword) return
  const problem = passwordProblem(password, owner ?? OWNER)
  if (problem !== undefined) throw new AppError('invalid_request', `TIDEMARK_OWNER_PASSWORD ${problem}.`)
  const passwordHash = await hashPassword(password)
  const { id, email, name } = owner ?? (await firstOwner(parts, passwordHash))
  if (owner) await accounts.change(id, { email, name, passwordHash }, { by: 'operator', nowMs: parts.now() })
}

/** The owner there is, or a new one. */
export async function firstOwner(
  { control: { accounts }, now }: ControlParts,
  passwordHash: string | null = null,
): Promise<Person> {
  const existing = await accounts.firstOwner()
  if (existing) return existing
  try {
    return await accounts.create({ ...OWNER, passwordHash }, { by: 'operator', nowMs: now() })
  } catch (error) {
    // Another node was faster.
    const other = error instanceof AppError && error.code === 'conflict' ? await accounts.firstOwner() : null
    if (!other) throw error
    return other
  }
}
