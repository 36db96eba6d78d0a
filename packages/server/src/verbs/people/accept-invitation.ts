import type { AcceptInvitationInput, InvitationPreviewAnswer } from '@tidemark/wire/member'
import { checkedPassword } from '../../control/accounts/input.ts'
import { invitationGone, type OpenInvitation } from '../../control/accounts/invitations.ts'
import { hashPassword } from '../../control/accounts/password.ts'
import type { Control } from '../../control/open.ts'
import { AppError } from '../../errors.ts'
import type { Person, Session } from '../../model/person.ts'
import { admit, type SignInPlace } from './sign-in.ts'

/** What the link offers, for whoever holds it. Opening it changes nothing. */
export async function previewInvitation(
  control: Control,
  { token }: { token: string },
  address: string,
  nowMs: number,
): Promise<InvitationPreviewAnswer> {
  const { invitation, projectName, hasAccount } = await findInvitation(control, token, address, nowMs)
  const { email, role, expiresAt } = invitation
  return { projectName, email, role, expiresAt, hasAccount }
}

/**
 * Somebody who is signed in joins with their account and keeps their session; else a new account is made for the e-mail of
 * the invitation. The answer is the token of the session.
 */
export async function acceptInvitation(
  control: Control,
  session: Session | null,
  input: AcceptInvitationInput,
  { address, replaces }: SignInPlace,
  nowMs: number,
): Promise<string> {
  const found = await findInvitation(control, input.token, address, nowMs)
  if (session && replaces !== undefined) {
    await control.invitations.accept(input.token, { person: session.person }, nowMs)
    return replaces
  }
  const person = await makeAccount(control, found, input, nowMs)
  return control.sessions.open({ personId: person.id, origin: 'invitation', replaces, address }, nowMs)
}

async function makeAccount(
  control: Control,
  { invitation: { email }, hasAccount }: OpenInvitation,
  { token, name, password }: AcceptInvitationInput,
  nowMs: number,
): Promise<Person> {
  if (hasAccount) throw new AppError('conflict', `${email} has an account: sign in with it, then open this link again.`)
  const fields = [
    ...(name === undefined ? [{ path: 'name', message: 'is needed for a new account' }] : []),
    ...(password === undefined ? [{ path: 'password', message: 'is needed for a new account' }] : []),
  ]
  if (name === undefined || password === undefined) {
    throw new AppError('invalid_request', 'A new account needs a name and a password: choose both.', { fields })
  }
  const passwordHash = await hashPassword(checkedPassword(password, { email }))
  return control.invitations.accept(token, { name, passwordHash }, nowMs)
}

async function findInvitation(
  control: Control,
  token: string,
  address: string,
  nowMs: number,
): Promise<OpenInvitation> {
  await admit(control, { address }, nowMs)
  const found = await control.invitations.find(token, nowMs)
  if (!found) throw invitationGone()
  await control.signIns.succeeded({ address }, nowMs)
  return found
}
