import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import { LEAST_FOUND_CHARACTERS } from '@tidemark/wire/limits'
import type { FindAnswer } from '@tidemark/wire/reading/find'
import { request } from './request.ts'

export const findQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'find', text],
    queryFn: ({ signal }) =>
      request<FindAnswer>(withParameters(`${projectApiPath(projectId)}/find`, { text }), { signal }),
    enabled: text.length >= LEAST_FOUND_CHARACTERS,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
