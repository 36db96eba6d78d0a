/** Invitations of a project, for its owners. Nothing is sent: the inviter hands the link over. */
import type { Control } from '../../control/open.ts'
import type { Caller } from '../../model/caller.ts'
import type { Invitation, ProjectRole } from '../../model/person.ts'
import { changeBy, requireManager } from '../require-manager.ts'

type Input = { project: string; email: string; role: ProjectRole }

export function inviteMember(control: Control, { publicUrl }: { publicUrl: string }) {
  return async (caller: Caller, { project, email, role }: Input): Promise<{ invitation: Invitation; link: string }> => {
    const { id } = await requireManager(control, caller, { project, least: 'owner' })
    const { invitation, token } = await control.invitations.create({ projectId: id, email, role }, changeBy(caller))
    // Behind `#`, so that the token never reaches a server's log.
    return { invitation, link: `${publicUrl}/invitation#${token}` }
  }
}

export function listInvitations(control: Control) {
  return async (caller: Caller, input: { project: string }): Promise<Invitation[]> => {
    const { id } = await requireManager(control, caller, { ...input, least: 'owner' })
    return control.invitations.list(id, Date.now())
  }
}

export function revokeInvitation(control: Control) {
  return async (caller: Caller, { project, id }: { project: string; id: string }): Promise<void> => {
    const found = await requireManager(control, caller, { project, least: 'owner' })
    await control.invitations.revoke(found.id, id, changeBy(caller))
  }
}
