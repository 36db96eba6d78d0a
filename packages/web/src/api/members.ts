import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { AuditAnswer } from '@tidemark/wire/people/account'
import type {
  CreatedInvitationAnswer,
  InvitationsAnswer,
  InviteInput,
  Member,
  MembersAnswer,
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

export const auditQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'audit'],
    queryFn: ({ signal, pageParam }) =>
      request<AuditAnswer>(withParameters(`${projectApiPath(projectId)}/audit`, { before: pageParam, limit: 100 }), {
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ nextBefore }: AuditAnswer) => nextBefore ?? undefined,
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
