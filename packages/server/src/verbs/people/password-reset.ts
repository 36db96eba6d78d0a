/** A one-time link with which a member who forgot the password chooses a new one. Nothing is sent: its creator passes it on. */
import { RESET_LINK_HOURS } from '@tidemark/wire/limits'
import type { PasswordResetAnswer, PasswordResetPreview, ResetPasswordInput } from '@tidemark/wire/people/member'
import { isInstanceOwner } from '@tidemark/wire/people/role'
import { HOUR_MS } from '@tidemark/wire/time/units'
import { unknownPerson } from '../../control/accounts/accounts.ts'
import { checkedPassword } from '../../control/accounts/input.ts'
import { hashPassword } from '../../control/accounts/password.ts'
import { AppError } from '../../errors.ts'
import type { Caller } from '../../model/caller.ts'
import type { Person } from '../../model/person.ts'
import { type ControlParts, changeBy, requireManager } from '../access.ts'
import { endLink, findLink, storeLink } from './one-time-link.ts'
import { admit, type SignInPlace } from './sign-in.ts'

type LinkParts = ControlParts & { publicUrl: string }

const OPERATOR = 'operator'
const settingOf = (personId: string) => `password_reset:${personId}`

/** For an owner of a project. The link gives the account, so it must not give access that its creator does not have. */
export async function createPasswordReset(
  parts: LinkParts,
  caller: Caller,
  { project, personId }: { project: string; personId: string },
): Promise<PasswordResetAnswer> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'owner' })
  const isMember = (await parts.control.members.list(projectId)).some((one) => one.personId === personId)
  const person = isMember ? await parts.control.accounts.get(personId) : null
  if (person === null) throw unknownPerson()
  const { by } = changeBy(parts, caller)
  if (by === personId) throw new AppError('conflict', 'Change your own password in your account.')
  refuseInstanceOwner(person)
  if (!(await mayReset(parts, by, person))) {
    throw new AppError(
      'forbidden',
      `${person.email} also has access to a project that you do not own: ask an owner of the instance, or run on the server: tidemark member reset-password ${person.email}`,
    )
  }
  return createLink(parts, person, { by, projectId })
}

export async function createResetAsOperator(
  parts: LinkParts,
  { email }: { email: string },
): Promise<PasswordResetAnswer> {
  const found = await parts.control.accounts.credentials(email)
  if (found === null) throw new AppError('not_found', `No account has the e-mail ${email}. Check its spelling.`)
  refuseInstanceOwner(found.person)
  return createLink(parts, found.person, { by: OPERATOR, projectId: null })
}

/** Opening the link changes nothing. */
export async function previewPasswordReset(
  parts: ControlParts,
  { token }: { token: string },
  address: string,
): Promise<PasswordResetPreview> {
  const { person, link } = await findReset(parts, token, address)
  return { email: person.email, expiresAt: new Date(link.expiresAtMs).toISOString() }
}

/** Ends all sessions of the person, and returns the token of a new one. */
export async function resetPassword(
  parts: ControlParts,
  { token, password }: ResetPasswordInput,
  { address, replaces }: SignInPlace,
): Promise<string> {
  const { control, now } = parts
  const { person, link, end } = await findReset(parts, token, address)
  const { id: personId, email, name } = person
  const passwordHash = await hashPassword(checkedPassword(password, { email }))
  if (!(await end())) throw linkGone()
  const change = { by: personId, nowMs: now() }
  const details = { personId, createdBy: link.createdBy }
  await control.audit.append(change, { action: 'person.reset_link_used', projectId: null, details })
  await control.accounts.change(personId, { email, name, passwordHash }, change)
  await control.signIns.succeeded({ email, address }, now())
  return control.sessions.open({ personId, origin: 'password_reset', replaces, address }, now())
}

/** To be called when the person has a new password: an older link must not replace that. */
export function endPasswordReset(parts: ControlParts, personId: string): Promise<void> {
  return endLink(parts, settingOf(personId))
}

async function createLink(
  parts: LinkParts,
  { id: personId, email }: Person,
  { by, projectId }: { by: string; projectId: string | null },
): Promise<PasswordResetAnswer> {
  const lifetimeMs = RESET_LINK_HOURS * HOUR_MS
  const { token, expiresAtMs } = await storeLink(parts, settingOf(personId), { lifetimeMs, createdBy: by })
  const details = { personId, email }
  await parts.control.audit.append(
    { by, nowMs: parts.now() },
    { action: 'person.reset_link_created', projectId, details },
  )
  // After `#`, so that the token never reaches a server's log.
  const link = `${parts.publicUrl}/reset-password#${personId}.${token}`
  return { link, email, expiresAt: new Date(expiresAtMs).toISOString() }
}

/** Throttled like a sign-in. The creator's rights are checked again: they, or the person's access, may have changed since. */
async function findReset(parts: ControlParts, token: string, address: string) {
  const { control, now } = parts
  await admit(parts, { address })
  const [personId = '', secret = ''] = token.split('.', 2)
  const person = token === `${personId}.${secret}` ? await control.accounts.get(personId) : null
  const found = person && (await findLink(parts, settingOf(person.id), secret))
  if (!person || !found || isInstanceOwner(person)) throw linkGone()
  if (!(await mayReset(parts, found.link.createdBy ?? '', person))) throw linkGone()
  await control.signIns.succeeded({ address }, now())
  return { person, ...found }
}

/** The operator, an owner of the instance, and an owner of every project that the person has access to. */
async function mayReset(
  { control: { accounts, members } }: ControlParts,
  by: string,
  person: Person,
): Promise<boolean> {
  if (by === OPERATOR) return true
  const creator = await accounts.get(by)
  if (creator === null) return false
  if (isInstanceOwner(creator)) return true
  const [owned, theirs] = await Promise.all([members.projectsOf(creator), members.projectsOf(person)])
  const ownedIds = new Set(owned.filter(({ role }) => role === 'owner').map(({ project }) => project.id))
  return theirs.every(({ project }) => ownedIds.has(project.id))
}

function refuseInstanceOwner(person: Person): void {
  if (!isInstanceOwner(person)) return
  throw new AppError(
    'forbidden',
    'The password of an owner of the instance is reset on the server only: run there: tidemark owner-link',
  )
}

function linkGone(): AppError {
  return new AppError('not_found', 'This link was used, replaced or has expired. Ask an owner for a new one.')
}
