import type { ChangeMeInput } from '@tidemark/wire/account'
import { checkedPassword, emailKey } from '../../control/accounts/input.ts'
import { hashPassword, isPassword } from '../../control/accounts/password.ts'
import { sessionHash } from '../../control/accounts/sessions.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Session } from '../../model/person.ts'
import { endOwnerLink } from '../operator/owner-link.ts'
import { admit } from './sign-in.ts'

type Place = { token: string; address: string }

/** What opens the account, the e-mail and the password, changes only with the current password. */
export async function changeMe(
  control: Control,
  session: Session,
  { email, name, password, currentPassword }: ChangeMeInput,
  { token, address }: Place,
  nowMs: number,
): Promise<void> {
  const { person } = session
  const isOpening = password !== undefined || emailKey(email) !== emailKey(person.email)
  if (isOpening && needsCurrentPassword(session)) {
    await requireCurrentPassword(control, person.email, currentPassword, address, nowMs)
  }
  const passwordHash = password === undefined ? undefined : await hashPassword(checkedPassword(password, { email }))
  await control.accounts.change(person.id, { email, name, passwordHash }, { by: person.id, nowMs }, sessionHash(token))
  if (password !== undefined && person.role === 'owner') await endOwnerLink(control, nowMs)
}

/** Who came by the printed link may have forgotten it. */
export function needsCurrentPassword({ person, origin }: Session): boolean {
  return person.hasPassword && origin !== 'owner_link'
}

/** Throttled like a sign-in: a session left open must not become a way to guess the password. */
async function requireCurrentPassword(
  control: Control,
  email: string,
  password: string | undefined,
  address: string,
  nowMs: number,
): Promise<void> {
  const refused = (message: string) =>
    new AppError('forbidden', `The current password ${message}.`, { fields: [{ path: 'currentPassword', message }] })
  if (password === undefined) throw refused('is needed to change the e-mail or the password')
  await admit(control, { email, address }, nowMs)
  const found = await control.accounts.credentials(email)
  if (!(await isPassword(password, found?.passwordHash ?? null))) throw refused('is wrong')
  await control.signIns.succeeded({ email, address }, nowMs)
}
