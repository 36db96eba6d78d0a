import { infiniteQueryOptions } from '@tanstack/react-query'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { AuditAnswer } from '@tidemark/wire/people/account'
import { request } from './request.ts'

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
