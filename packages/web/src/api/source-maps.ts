import { infiniteQueryOptions } from '@tanstack/react-query'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { DeletedSourceMapsAnswer, SourceMapFilesAnswer, SourceMapReleasesAnswer } from '@tidemark/wire/source-maps'
import { request } from './request.ts'

const PAGE = 50

const path = (projectId: string) => `${projectApiPath(projectId)}/sourcemaps`
export const sourceMapsKey = (projectId: string) => ['project', projectId, 'sourcemaps'] as const

type Page = { nextAfter: string | null }
const paged = { initialPageParam: '', getNextPageParam: ({ nextAfter }: Page) => nextAfter ?? undefined }

export const mappedReleasesQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: sourceMapsKey(projectId),
    queryFn: ({ signal, pageParam }) =>
      request<SourceMapReleasesAnswer>(withParameters(path(projectId), { after: pageParam, limit: PAGE }), { signal }),
    ...paged,
  })

export const mappedFilesQuery = (projectId: string, release: string) =>
  infiniteQueryOptions({
    queryKey: [...sourceMapsKey(projectId), release],
    queryFn: ({ signal, pageParam }) => {
      const parameters = { release, after: pageParam, limit: PAGE }
      return request<SourceMapFilesAnswer>(withParameters(`${path(projectId)}/files`, parameters), { signal })
    },
    ...paged,
  })

export const deleteSourceMaps = (projectId: string, release: string) =>
  request<DeletedSourceMapsAnswer>(withParameters(path(projectId), { release }), { method: 'DELETE' })
