import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { CallsAnswer, CallsByKeyAnswer, CallsInput } from '@tidemark/wire/people/call'
import { request } from './request.ts'

const PAGE = 50

export const callsByKeyQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'calls-by-key'],
    queryFn: ({ signal }) => request<CallsByKeyAnswer>(`${projectApiPath(projectId)}/calls/by-key`, { signal }),
  })

export const callsQuery = (projectId: string, filter: Pick<CallsInput, 'keyId' | 'name' | 'errors'>) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'calls', filter],
    queryFn: ({ signal, pageParam }) => {
      const parameters = { ...filter, before: pageParam, limit: PAGE }
      return request<CallsAnswer>(withParameters(`${projectApiPath(projectId)}/calls`, parameters), { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }: CallsAnswer) => nextBefore ?? undefined,
  })
