/** The members of a project and who is invited to it. Nothing is sent: the inviter passes the link on. */

import type { Invitation, Member } from '@tidemark/wire/people/member'
import type { ProjectRole } from '@tidemark/wire/people/role'
import type { Caller } from '../../model/caller.ts'
import { type ControlParts, changeBy, requireManager } from '../access.ts'

/** Every member may see the others. */
export async function listMembers(parts: ControlParts, caller: Caller, input: { project: string }): Promise<Member[]> {
  const { id } = await requireManager(parts, caller, { ...input, least: 'viewer' })
  return parts.control.members.list(id)
}

/** Takes effect with the member's next request. */
export async function changeMember(
  parts: ControlParts,
  caller: Caller,
  { project, personId, role }: { project: string; personId: string; role: ProjectRole },
): Promise<Member> {
  const { id } = await requireManager(parts, caller, { project, least: 'owner' })
  return parts.control.members.changeRole(id, personId, role, changeBy(parts, caller))
}

/** Ends all sessions of the member at once. Everybody may remove themselves. */
export async function removeMember(
  parts: ControlParts,
  caller: Caller,
  { project, personId }: { project: string; personId: string },
): Promise<void> {
  const isOwnStep = caller.kind === 'person' && caller.personId === personId
  const { id } = await requireManager(parts, caller, { project, least: isOwnStep ? 'viewer' : 'owner' })
  await parts.control.members.remove(id, personId, changeBy(parts, caller))
}

export async function inviteMember(
  parts: ControlParts & { publicUrl: string },
  caller: Caller,
  { project, email, role }: { project: string; email: string; role: ProjectRole },
): Promise<{ invitation: Invitation; link: string }> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'owner' })
  const { invitation, token } = await parts.control.invitations.create(
    { projectId, email, role },
    changeBy(parts, caller),
  )
  // After `#`, so that the token never reaches a server's log.
  return { invitation, link: `${parts.publicUrl}/invitation#${token}` }
}

export async function listInvitations(
  parts: ControlParts,
  caller: Caller,
  input: { project: string },
): Promise<Invitation[]> {
  const { id } = await requireManager(parts, caller, { ...input, least: 'owner' })
  return parts.control.invitations.list(id, parts.now())
}

export async function revokeInvitation(
  parts: ControlParts,
  caller: Caller,
  { project, id }: { project: string; id: string },
): Promise<void> {
  const { id: projectId } = await requireManager(parts, caller, { project, least: 'owner' })
  await parts.control.invitations.revoke(projectId, id, changeBy(parts, caller))
}
