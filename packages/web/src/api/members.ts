import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type {
  CreatedInvitationAnswer,
  InvitationsAnswer,
  InviteInput,
  Member,
  MembersAnswer,
  PasswordResetAnswer,
} from '@tidemark/wire/people/member'
import type { ProjectRole } from '@tidemark/wire/people/role'
import { request } from './request.ts'

export const membersQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'members'],
    queryFn: ({ signal }) => request<MembersAnswer>(`${projectApiPath(projectId)}/members`, { signal }),
  })

export const invitationsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'invitations'],
    queryFn: ({ signal }) => request<InvitationsAnswer>(`${projectApiPath(projectId)}/invitations`, { signal }),
  })

export const invite = (projectId: string, input: InviteInput) =>
  request<CreatedInvitationAnswer>(`${projectApiPath(projectId)}/invitations`, { method: 'POST', body: input })
export const withdrawInvitation = (projectId: string, id: string) =>
  request<unknown>(`${projectApiPath(projectId)}/invitations/${encodeURIComponent(id)}`, { method: 'DELETE' })
export const changeMember = (projectId: string, personId: string, role: ProjectRole) =>
  request<Member>(`${projectApiPath(projectId)}/members/${encodeURIComponent(personId)}`, {
    method: 'PATCH',
    body: { role },
  })
export const removeMember = (projectId: string, personId: string) =>
  request<unknown>(`${projectApiPath(projectId)}/members/${encodeURIComponent(personId)}`, { method: 'DELETE' })
export const createPasswordReset = (projectId: string, personId: string) =>
  request<PasswordResetAnswer>(`${projectApiPath(projectId)}/members/${encodeURIComponent(personId)}/password-reset`, {
    method: 'POST',
    body: {},
  })
