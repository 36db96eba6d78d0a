import { queryOptions } from '@tanstack/react-query'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import type {
  ChangeProjectInput,
  CreatedProjectAnswer,
  FirstArrivalsAnswer,
  ProjectSettingsAnswer,
  RedactionPreviewAnswer,
  RedactionPreviewInput,
  RetentionPreviewAnswer,
  RetentionPreviewInput,
} from '@tidemark/wire/project'
import type { ProjectAnswer } from '@tidemark/wire/reading/project'
import { request } from './request.ts'

const ASK_FOR_SIGNS_EVERY_MS = 2_000

/** What the project's records say about it: environments, services, last record. */
export const projectQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'described'],
    queryFn: ({ signal }) => request<ProjectAnswer>(`${projectApiPath(projectId)}/project`, { signal }),
    staleTime: 30_000,
  })

export const projectSettingsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'settings'],
    queryFn: ({ signal }) => request<ProjectSettingsAnswer>(projectApiPath(projectId), { signal }),
  })

/** Polled until all three have come. */
export const firstArrivalsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'first-arrivals'],
    queryFn: ({ signal }) => request<FirstArrivalsAnswer>(`${projectApiPath(projectId)}/first-arrivals`, { signal }),
    refetchInterval: ({ state: { data } }) =>
      data?.record && data.deploy && data.mcp ? false : ASK_FOR_SIGNS_EVERY_MS,
  })

/** Counted again each time somebody asks: records come and go. */
export const retentionPreviewQuery = (projectId: string, retention: RetentionPreviewInput) =>
  queryOptions({
    queryKey: ['project', projectId, 'retention-preview', retention],
    queryFn: ({ signal }) =>
      request<RetentionPreviewAnswer>(`${projectApiPath(projectId)}/retention/preview`, {
        method: 'POST',
        body: retention,
        signal,
      }),
    gcTime: 0,
  })

export const createProject = (name: string) =>
  request<CreatedProjectAnswer>('/api/projects', { method: 'POST', body: { name } })
export const changeProject = (projectId: string, change: ChangeProjectInput) =>
  request<ProjectSettingsAnswer>(projectApiPath(projectId), { method: 'PATCH', body: change })
export const deleteProject = (projectId: string) => request<unknown>(projectApiPath(projectId), { method: 'DELETE' })
export const previewRedaction = (projectId: string, input: RedactionPreviewInput) =>
  request<RedactionPreviewAnswer>(`${projectApiPath(projectId)}/redaction/preview`, { method: 'POST', body: input })
