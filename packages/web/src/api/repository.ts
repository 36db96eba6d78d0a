import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type { ConnectRepositoryInput, RepositoryAnswer } from '@tidemark/wire/repository'
import { request } from './request.ts'

const POLL_WHILE_COPYING_MS = 2_000

const repositoryPath = (projectId: string) => `${projectApiPath(projectId)}/repository`

/** Polled until there is a copy, and while one is made. */
export const repositoryQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'repository'],
    queryFn: ({ signal }) => request<RepositoryAnswer>(repositoryPath(projectId), { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.repository?.state === 'mirroring' || data?.repository?.copyingSince != null ? POLL_WHILE_COPYING_MS : false,
  })

export const connectRepository = (projectId: string, input: ConnectRepositoryInput) =>
  request<RepositoryAnswer>(repositoryPath(projectId), { method: 'PUT', body: input })
export const disconnectRepository = (projectId: string) =>
  request<unknown>(repositoryPath(projectId), { method: 'DELETE' })
export const syncRepository = (projectId: string) =>
  request<RepositoryAnswer>(`${repositoryPath(projectId)}/sync`, { method: 'POST', body: {} })
