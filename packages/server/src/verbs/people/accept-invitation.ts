/** For anyone who holds the link of an invitation, with or without a session: this is where we learn who they are. */
import type { AcceptInvitationInput, InvitationPreviewAnswer } from '@tidemark/wire/people/member'
import { checkedPassword } from '../../control/accounts/input.ts'
import { invitationGone, type OpenInvitation } from '../../control/accounts/invitations.ts'
import { hashPassword } from '../../control/accounts/password.ts'
import { AppError } from '../../errors.ts'
import type { Person, Session } from '../../model/person.ts'
import type { ControlParts } from '../access.ts'
import { admit, type SignInPlace } from './sign-in.ts'

/** What the link offers. Opening it changes nothing. */
export async function previewInvitation(
  parts: ControlParts,
  { token }: { token: string },
  address: string,
): Promise<InvitationPreviewAnswer> {
  const { invitation, projectName, hasAccount } = await findInvitation(parts, token, address)
  const { email, role, expiresAt } = invitation
  return { projectName, email, role, expiresAt, hasAccount }
}

/**
 * Somebody who is signed in joins with their account and keeps their session; else a new account is made for the e-mail of
 * the invitation. Returns the token of the session.
 */
export async function acceptInvitation(
  parts: ControlParts,
  session: Session | null,
  input: AcceptInvitationInput,
  { address, replaces }: SignInPlace,
): Promise<string> {
  const { control, now } = parts
  const found = await findInvitation(parts, input.token, address)
  if (session && replaces !== undefined) {
    await control.invitations.accept(input.token, { person: session.person }, now())
    return replaces
  }
  const person = await makeAccount(parts, found, input)
  return control.sessions.open({ personId: person.id, origin: 'invitation', replaces, address }, now())
}

async function makeAccount(
  { control, now }: ControlParts,
  { invitation: { email }, hasAccount }: OpenInvitation,
  { token, name, password }: AcceptInvitationInput,
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
  return control.invitations.accept(token, { name, passwordHash }, now())
}

async function findInvitation(parts: ControlParts, token: string, address: string): Promise<OpenInvitation> {
  const { control, now } = parts
  await admit(parts, { address })
  const found = await control.invitations.find(token, now())
  if (!found) throw invitationGone()
  await control.signIns.succeeded({ address }, now())
  return found
}
