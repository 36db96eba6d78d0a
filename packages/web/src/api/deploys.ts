import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { DeployDetailAnswer, DeploysAnswer } from '@tidemark/wire/reading'
import { projectPath } from './projects.ts'
import { request, withParameters } from './request.ts'

const PAGE_ROWS = 50

export type DeployFilter = {
  environment: string | undefined
  status: string | undefined
  from: string | undefined
  to: string | undefined
}

export const deploysQuery = (projectId: string, filter: DeployFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'deploys', filter],
    queryFn: ({ signal, pageParam }) =>
      request<DeploysAnswer>(
        withParameters(`${projectPath(projectId)}/deploys`, { ...filter, limit: PAGE_ROWS, cursor: pageParam }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: DeploysAnswer) => nextCursor ?? undefined,
  })

export const deployQuery = (projectId: string, deployId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'deploy', deployId],
    queryFn: ({ signal }) =>
      request<DeployDetailAnswer>(`${projectPath(projectId)}/deploys/${encodeURIComponent(deployId)}`, { signal }),
  })
