import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type { ConnectRepositoryInput, RepositoryAnswer } from '@tidemark/wire/repository'
import { request } from './request.ts'

const ASK_WHILE_MIRRORING_MS = 2_000

const repositoryPath = (projectId: string) => `${projectApiPath(projectId)}/repository`

/** Polled while the service makes its first copy. */
export const repositoryQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'repository'],
    queryFn: ({ signal }) => request<RepositoryAnswer>(repositoryPath(projectId), { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.repository?.state === 'mirroring' ? ASK_WHILE_MIRRORING_MS : false,
  })

export const connectRepository = (projectId: string, input: ConnectRepositoryInput) =>
  request<RepositoryAnswer>(repositoryPath(projectId), { method: 'PUT', body: input })
export const disconnectRepository = (projectId: string) =>
  request<unknown>(repositoryPath(projectId), { method: 'DELETE' })
export const syncRepository = (projectId: string) =>
  request<RepositoryAnswer>(`${repositoryPath(projectId)}/sync`, { method: 'POST', body: {} })
