/** Members and invitations of a project. */
import { changeMemberInput, inviteInput } from '@tidemark/wire/people/member'
import type { People } from '../../verbs/open-people.ts'
import { noParameters } from '../request/parameters.ts'
import { parseBody } from './body.ts'
import type { PeopleDoor } from './door.ts'

export function peopleMemberRoutes(door: PeopleDoor, { people }: { people: People }): void {
  door.member('GET', '/members', async ({ caller, query }) => {
    noParameters(query)
    return { members: await people.listMembers(caller, { project: caller.project.id }) }
  })
  door.member('PATCH', '/members/:personId', ({ caller, params, body }) => {
    const { role } = parseBody(changeMemberInput, body)
    return people.changeMember(caller, { project: caller.project.id, personId: params.personId ?? '', role })
  })
  door.member('DELETE', '/members/:personId', async ({ caller, params }) => {
    await people.removeMember(caller, { project: caller.project.id, personId: params.personId ?? '' })
  })
  door.member('POST', '/members/:personId/password-reset', async ({ caller, params, reply }) => {
    const input = { project: caller.project.id, personId: params.personId ?? '' }
    const created = await people.createPasswordReset(caller, input)
    reply.code(201)
    return created
  })

  door.member('GET', '/invitations', async ({ caller, query }) => {
    noParameters(query)
    return { invitations: await people.listInvitations(caller, { project: caller.project.id }) }
  })
  door.member('POST', '/invitations', async ({ caller, body, reply }) => {
    const input = parseBody(inviteInput, body)
    const created = await people.inviteMember(caller, { project: caller.project.id, ...input })
    reply.code(201)
    return created
  })
  door.member('DELETE', '/invitations/:invitationId', async ({ caller, params }) => {
    await people.revokeInvitation(caller, { project: caller.project.id, id: params.invitationId ?? '' })
  })
}
