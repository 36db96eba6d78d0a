import type { ChangeMeInput } from '@tidemark/wire/people/account'
import { isInstanceOwner } from '@tidemark/wire/people/role'
import { checkedPassword, emailKey } from '../../control/accounts/input.ts'
import { hashPassword, isPassword } from '../../control/accounts/password.ts'
import { tokenHash } from '../../control/accounts/token.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../model/person.ts'
import type { ControlParts } from '../access.ts'
import { endOwnerLink } from './owner-link.ts'
import { endPasswordReset } from './password-reset.ts'
import { admit } from './sign-in.ts'

type Place = { token: string; address: string }

/** The e-mail and the password, which open the account, change only with the current password. */
export async function changeMe(
  parts: ControlParts,
  session: Session,
  { email, name, password, currentPassword }: ChangeMeInput,
  { token, address }: Place,
): Promise<void> {
  const { person } = session
  const isOpening = password !== undefined || emailKey(email) !== emailKey(person.email)
  if (isOpening && needsCurrentPassword(session)) {
    await requireCurrentPassword(parts, { email: person.email, address }, currentPassword)
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(checkedPassword(password, { email }))
  const change = { by: person.id, nowMs: parts.now() }
  await parts.control.accounts.change(person.id, { email, name, passwordHash }, change, tokenHash(token))
  if (password === undefined) return
  await endPasswordReset(parts, person.id)
  if (isInstanceOwner(person)) await endOwnerLink(parts)
}

/** Somebody who came by the printed link may have forgotten it. */
export function needsCurrentPassword({ person, origin }: Session): boolean {
  return person.hasPassword && origin !== 'owner_link'
}

/** Throttled like a sign-in: a session left open must not become a way to guess the password. */
async function requireCurrentPassword(
  parts: ControlParts,
  attempt: { email: string; address: string },
  password: string | undefined,
): Promise<void> {
  const { control, now } = parts
  const refused = (message: string) =>
    new AppError('forbidden', `The current password ${message}.`, { fields: [{ path: 'currentPassword', message }] })
  if (password === undefined) throw refused('is needed to change the e-mail or the password')
  await admit(parts, attempt)
  const found = await control.accounts.credentials(attempt.email)
  if (!(await isPassword(password, found?.passwordHash ?? null))) throw refused('is wrong')
  await control.signIns.succeeded(attempt, now())
}
