import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type { IngestHealthAnswer } from '@tidemark/wire/people/ingest-health'
import { request } from './request.ts'

/** Asked again by itself: who mends a sender waits for what it shows. */
export const ingestHealthQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'ingest-health'],
    queryFn: ({ signal }) => request<IngestHealthAnswer>(`${projectApiPath(projectId)}/ingest-health`, { signal }),
    refetchInterval: 15_000,
  })
