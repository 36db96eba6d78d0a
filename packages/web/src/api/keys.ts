import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type { CreatedKeyAnswer, CreateKeyInput, KeysAnswer, RevokedKeyAnswer } from '@tidemark/wire/people/key'
import { request } from './request.ts'

export const keysQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'keys'],
    queryFn: ({ signal }) => request<KeysAnswer>(`${projectApiPath(projectId)}/keys`, { signal }),
  })

export const createKey = (projectId: string, input: CreateKeyInput) =>
  request<CreatedKeyAnswer>(`${projectApiPath(projectId)}/keys`, { method: 'POST', body: input })
export const revokeKey = (projectId: string, keyId: string) =>
  request<RevokedKeyAnswer>(`${projectApiPath(projectId)}/keys/${encodeURIComponent(keyId)}`, { method: 'DELETE' })
