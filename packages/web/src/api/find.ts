import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { LEAST_FOUND_CHARACTERS } from '@tidemark/wire/limits'
import type { FindAnswer } from '@tidemark/wire/reading/find'
import { projectApiPath } from './paths.ts'
import { request, withParameters } from './request.ts'

export const findQuery = (projectId: string, text: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'find', text],
    queryFn: ({ signal }) =>
      request<FindAnswer>(withParameters(`${projectApiPath(projectId)}/find`, { text }), { signal }),
    enabled: text.length >= LEAST_FOUND_CHARACTERS,
    placeholderData: keepPreviousData,
    staleTime: 30_000,
  })
