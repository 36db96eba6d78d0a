/** The ways in. Each answers the token of a new session, which ends the one the browser had before. */
import type { SignInInput } from '@tidemark/wire/account'
import { isPassword } from '../../control/accounts/password.ts'
import type { SignInAttempt } from '../../control/accounts/throttle.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import { firstOwner } from '../operator/ensure-owner.ts'
import { takeOwnerLink } from '../operator/owner-link.ts'

/** Where somebody signs in from, and with which session so far. */
export type SignInPlace = { address: string; replaces: string | undefined }

/** Unknown people and wrong passwords get the same answer after the same time. */
export async function signIn(
  control: Control,
  { email, password }: SignInInput,
  { address, replaces }: SignInPlace,
  nowMs: number,
): Promise<string> {
  const attempt = { email, address }
  await admit(control, attempt, nowMs)
  const found = await control.accounts.credentials(email)
  if (!(await isPassword(password, found?.passwordHash ?? null)) || !found) {
    const reason = found ? 'wrong password' : 'unknown e-mail'
    await control.sessions.noteRefusal({ personId: found?.person.id ?? null, address, reason }, nowMs)
    throw new AppError('unauthorized', 'The e-mail or the password is wrong. Check both and try again.')
  }
  await control.signIns.succeeded(attempt, nowMs)
  return control.sessions.open({ personId: found.person.id, origin: 'password', replaces, address }, nowMs)
}

/** Makes the owner when there is none yet. */
export async function signInByOwnerLink(
  control: Control,
  { token }: { token: string },
  { address, replaces }: SignInPlace,
  nowMs: number,
): Promise<string> {
  await admit(control, { address }, nowMs)
  if (!(await takeOwnerLink(control, token, nowMs))) {
    await control.sessions.noteRefusal({ personId: null, address, reason: 'owner link not valid' }, nowMs)
    throw new AppError(
      'unauthorized',
      'This link was used, replaced by a newer one, or is too old. Sign in, or restart the service: until the owner has a password it prints a new link.',
    )
  }
  await control.signIns.succeeded({ address }, nowMs)
  const owner = await firstOwner(control, nowMs)
  return control.sessions.open({ personId: owner.id, origin: 'owner_link', replaces, address }, nowMs)
}

/** Counts the attempt as a failure until it is known to be none. */
export async function admit(control: Pick<Control, 'signIns'>, attempt: SignInAttempt, nowMs: number): Promise<void> {
  const waitMs = await control.signIns.enter(attempt, nowMs)
  if (waitMs === 0) return
  throw new AppError(
    'rate_limited',
    'Too many attempts to sign in failed. Wait as long as Retry-After says, then try again.',
    {
      retryAfterSeconds: waitMs / 1_000,
    },
  )
}
