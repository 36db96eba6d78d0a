import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  AnalysesAnswer,
  AnalysisAnswer,
  AnalysisDetail,
  AnalysisPart,
  ChangeAnalysisInput,
  MatchingAnalysesAnswer,
} from '@tidemark/wire/analyses/analysis'
import { analysesPath, analysisPath, projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import { OCCURRENCE_BUCKETS } from '@tidemark/wire/time/bucket-length'
import { keepOfProject, request } from './request.ts'

const PAGE_ROWS = 50

/** What `query` takes, where people type it. */
export const QUERY_HINT = 'Search by title, error or file'

export type AnalysisFilter = {
  environment?: string | undefined
  from?: string | undefined
  to?: string | undefined
  query?: string | undefined
  service?: string | undefined
  /** Without it, every state that is open; with `introducedBy`, every state. */
  state?: string | undefined
  introducedBy?: string | undefined
  sort?: string | undefined
}

export type AnalysisAction = ChangeAnalysisInput['action']

/** Everything known about analyses: what to fetch again after one of them has changed. */
export const analysesKey = (projectId: string) => ['project', projectId, 'analyses'] as const

export const analysesQuery = (projectId: string, filter: AnalysisFilter) =>
  infiniteQueryOptions({
    queryKey: [...analysesKey(projectId), 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      request<AnalysesAnswer>(
        withParameters(analysesPath(projectId), { ...filter, limit: PAGE_ROWS, cursor: pageParam }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: AnalysesAnswer) => nextCursor ?? undefined,
    placeholderData: keepOfProject(projectId),
  })

export const analysisQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...analysesKey(projectId), 'whole', id],
    queryFn: ({ signal }) => request<AnalysisAnswer>(analysisPath(projectId, id), { signal }),
  })

export type Occurrences = Omit<AnalysisDetail['occurrences'], 'deploys'> & {
  deploys: { id: string; sha: string; status: string; deployedAt: string }[]
}

/** Its errors over time, in another window than the one that comes with it. `range` tells relative windows apart. */
export const occurrencesQuery = (
  projectId: string,
  { id, recordsQuery: query, environment }: Pick<AnalysisDetail, 'id' | 'recordsQuery' | 'environment'>,
  { range, from, to }: { range: string; from: string; to: string },
) =>
  queryOptions({
    queryKey: [...analysesKey(projectId), 'occurrences', id, query, range],
    queryFn: async ({ signal }): Promise<Occurrences> => {
      const path = withParameters(`${projectApiPath(projectId)}/logs/count`, {
        ...{ query, environment, from, to },
        bucket: OCCURRENCE_BUCKETS,
      })
      const { window, bucketSeconds, buckets, deploys } = await request<CountAnswer>(path, { signal })
      const drawn = deploys.map(({ id, sha, status, timestamp }) => ({ id, sha, status, deployedAt: timestamp }))
      return { window, bucketSeconds: bucketSeconds ?? 0, buckets, deploys: drawn }
    },
    placeholderData: keepOfProject(projectId),
  })

/** What fits into a line: its title, its state and its deploy, without reading the records. */
export const analysisLineQuery = (projectId: string, id: string) =>
  queryOptions({
    queryKey: [...analysesKey(projectId), 'line', id],
    queryFn: ({ signal }) =>
      request<AnalysisAnswer>(
        withParameters(analysisPath(projectId, id), { include: ['deploy'] satisfies AnalysisPart[] }),
        { signal },
      ),
    staleTime: 60_000,
  })

export const changeAnalysis = (projectId: string, id: string, action: AnalysisAction) =>
  request<AnalysisAnswer>(`${analysisPath(projectId, id)}/state`, { method: 'POST', body: { action } })

/** Which analyses the list is of, on all of its pages, whatever its order. */
export const matchingAnalyses = (projectId: string, { sort: _, ...filter }: AnalysisFilter) =>
  request<MatchingAnalysesAnswer>(withParameters(`${analysesPath(projectId)}/matching`, filter))

/** Many at once, all or none. */
export const changeAnalyses = (projectId: string, ids: readonly string[], action: AnalysisAction) =>
  request<unknown>(`${analysesPath(projectId)}/changes`, { method: 'POST', body: { ids, action } })
export const assignAnalyses = (projectId: string, ids: readonly string[], personId: string | null) =>
  request<unknown>(`${analysesPath(projectId)}/changes`, { method: 'POST', body: { ids, personId } })
