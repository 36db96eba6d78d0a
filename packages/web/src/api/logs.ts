import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  type LogFilter,
  logsPath,
  PAGE_ROWS,
  type Paging,
  searchPath,
  withParameters,
} from '@tidemark/wire/dashboard/api-paths'
import { histogramQuestion } from '@tidemark/wire/dashboard/logs-question'
import type { ContextAnswer } from '@tidemark/wire/reading/context'
import type { CountAnswer, CountInput } from '@tidemark/wire/reading/count'
import type { FieldsAnswer } from '@tidemark/wire/reading/fields'
import type { PatternsAnswer, PatternsInput } from '@tidemark/wire/reading/patterns'
import type { SearchAnswer } from '@tidemark/wire/reading/search'
import { windowBefore } from '@tidemark/wire/time/window-before'
import { countedUntilNow } from './counted-until-now.ts'
import { keepOfProject, request } from './request.ts'

/** `asked` tells two requests for the same relative range apart. */
export const searchQuery = (
  projectId: string,
  filter: LogFilter,
  asked: number,
  { order, limit = PAGE_ROWS }: Paging = {},
) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'logs', filter, asked, order, limit],
    queryFn: ({ signal, pageParam }) =>
      request<SearchAnswer>(searchPath(projectId, filter, { order, limit }, pageParam), { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: SearchAnswer) => nextCursor ?? undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepOfProject(projectId),
  })

export const histogramQuery = (projectId: string, filter: LogFilter, asked: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'histogram', filter, asked],
    queryFn: ({ signal }) => countUntilNow(projectId, histogramQuestion(filter), signal),
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepOfProject(projectId),
  })

async function countUntilNow(projectId: string, input: CountInput, signal: AbortSignal): Promise<CountAnswer> {
  const answer = await request<CountAnswer>(withParameters(`${logsPath(projectId)}/count`, { ...input }), { signal })
  return countedUntilNow(answer, Date.now())
}

/** The window before the one that was counted, in buckets as long as its. */
export const histogramBeforeQuery = (projectId: string, filter: LogFilter, counted: CountAnswer | undefined) => {
  const before = counted && windowBefore(counted.window)
  return queryOptions({
    queryKey: [
      'project',
      projectId,
      'histogram-before',
      filter.query,
      filter.environment,
      before,
      counted?.bucketSeconds,
    ],
    queryFn: ({ signal }) =>
      request<CountAnswer>(
        withParameters(`${logsPath(projectId)}/count`, {
          query: filter.query,
          environment: filter.environment,
          ...before,
          bucket: `${counted?.bucketSeconds ?? 60}s`,
          groupBy: ['level'],
        }),
        { signal },
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

export const fieldsQuery = (projectId: string, filter: LogFilter, asked: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'fields', filter, asked],
    queryFn: ({ signal }) =>
      request<FieldsAnswer>(withParameters(`${logsPath(projectId)}/fields`, { ...filter, limit: 60 }), { signal }),
    staleTime: 60_000,
    placeholderData: keepOfProject(projectId),
  })

export const patternsQuery = (projectId: string, input: PatternsInput | undefined, asked: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'patterns', input, asked],
    queryFn: ({ signal }) =>
      request<PatternsAnswer>(withParameters(`${logsPath(projectId)}/patterns`, { ...input }), { signal }),
    enabled: input !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepOfProject(projectId),
  })

/** Records by their ids, which lie in a window. */
export const recordsQuery = (
  projectId: string,
  ids: readonly string[],
  { environment, from, to }: { environment: string | undefined; from: string; to: string },
) =>
  queryOptions({
    queryKey: ['project', projectId, 'records', ids, environment, from, to],
    queryFn: async ({ signal }) => {
      const filter = { query: `id:(${ids.join(' OR ')})`, environment, from, to }
      const { rows } = await request<SearchAnswer>(searchPath(projectId, filter, { limit: PAGE_ROWS }), { signal })
      return new Map(rows.flatMap((row) => (row.kind === 'log' ? [[row.id, row] as const] : [])))
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const groupsQuery = (projectId: string, input: CountInput | undefined, asked: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'groups', input, asked],
    queryFn: ({ signal }) => countUntilNow(projectId, { ...input }, signal),
    enabled: input !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepOfProject(projectId),
  })

/** Values of one field, for what is being typed and for what else could be chosen. `asked` as above. */
export const valuesQuery = (projectId: string, filter: LogFilter, name: string, prefix: string, asked = 0) =>
  queryOptions({
    queryKey: ['project', projectId, 'values', filter, name, prefix, asked],
    queryFn: ({ signal }) =>
      request<FieldsAnswer>(withParameters(`${logsPath(projectId)}/fields`, { ...filter, name, prefix, limit: 20 }), {
        signal,
      }),
    staleTime: 60_000,
  })

/** Values of one field for its facet: the most frequent that contain a text. */
export const facetQuery = (
  projectId: string,
  filter: LogFilter,
  { name, contains, limit }: { name: string; contains: string; limit: number },
  asked: number,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'facet', name, filter, contains, limit, asked],
    queryFn: ({ signal }) => {
      const input = { ...filter, name, contains: contains || undefined, limit }
      return request<FieldsAnswer>(withParameters(`${logsPath(projectId)}/fields`, input), { signal })
    },
    staleTime: 60_000,
    placeholderData: keepOfProject(projectId),
  })

export const contextQuery = (projectId: string, id: string, by: 'time' | 'trace' | 'host', around: number) =>
  queryOptions({
    queryKey: ['project', projectId, 'context', id, by, around],
    queryFn: ({ signal }) =>
      request<ContextAnswer>(
        withParameters(`${logsPath(projectId)}/${encodeURIComponent(id)}/context`, {
          by,
          before: around,
          after: around,
        }),
        { signal },
      ),
    staleTime: 60_000,
  })

export const exportAddress = (projectId: string, filter: LogFilter, format: 'ndjson' | 'csv') =>
  withParameters(`${logsPath(projectId)}/export`, { ...filter, format })
export const tailAddress = (projectId: string, { query, environment }: LogFilter) =>
  withParameters(`${logsPath(projectId)}/tail`, { query, environment })
