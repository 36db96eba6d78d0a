/**
 * The ways in. Each returns the token of a new session, which ends the one the browser had before. There is no caller
 * yet: this is where we learn who it is.
 */
import type { SignInInput } from '@tidemark/wire/people/account'
import { isPassword } from '../../control/accounts/password.ts'
import type { SignInAttempt } from '../../control/accounts/throttle.ts'
import { AppError } from '../../errors.ts'
import type { ControlParts } from '../access.ts'
import { firstOwner } from './ensure-owner.ts'
import { takeOwnerLink } from './owner-link.ts'

/** Where somebody signs in from, and with which session so far. */
export type SignInPlace = { address: string; replaces: string | undefined }

/** Unknown people and wrong passwords get the same answer after the same time. */
export async function signIn(
  parts: ControlParts,
  { email, password }: SignInInput,
  { address, replaces }: SignInPlace,
): Promise<string> {
  const { control, now } = parts
  const attempt = { email, address }
  await admit(parts, attempt)
  const found = await control.accounts.credentials(email)
  if (!(await isPassword(password, found?.passwordHash ?? null)) || !found) {
    const reason = found ? 'wrong password' : 'unknown e-mail'
    await control.sessions.noteRefusal({ personId: found?.person.id ?? null, address, reason }, now())
    throw new AppError('unauthorized', 'The e-mail or the password is wrong. Check both and try again.')
  }
  await control.signIns.succeeded(attempt, now())
  return control.sessions.open({ personId: found.person.id, origin: 'password', replaces, address }, now())
}

/** Makes the owner when there is none yet. */
export async function signInByOwnerLink(
  parts: ControlParts,
  { token }: { token: string },
  { address, replaces }: SignInPlace,
): Promise<string> {
  const { control, now } = parts
  await admit(parts, { address })
  if (!(await takeOwnerLink(parts, token))) {
    await control.sessions.noteRefusal({ personId: null, address, reason: 'owner link not valid' }, now())
    throw new AppError(
      'unauthorized',
      'This link was used, replaced by a newer one, or is too old. Sign in, or restart the service: until the owner has a password it prints a new link.',
    )
  }
  await control.signIns.succeeded({ address }, now())
  const owner = await firstOwner(parts)
  return control.sessions.open({ personId: owner.id, origin: 'owner_link', replaces, address }, now())
}

export async function signOut({ control, now }: ControlParts, token: string): Promise<void> {
  await control.sessions.close(token, now())
}

/** Counts the attempt as a failure until it is known to be none. */
export async function admit({ control, now }: ControlParts, attempt: SignInAttempt): Promise<void> {
  const waitMs = await control.signIns.enter(attempt, now())
  if (waitMs === 0) return
  throw new AppError(
    'rate_limited',
    'Too many attempts to sign in failed. Wait as long as Retry-After says, then try again.',
    {
      retryAfterSeconds: waitMs / 1_000,
    },
  )
}
