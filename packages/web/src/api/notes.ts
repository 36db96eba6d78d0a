import type { AnalysisAnswer } from '@tidemark/wire/analyses/analysis'
import { analysisPath } from '@tidemark/wire/dashboard/api-paths'
import { request } from './request.ts'

/** Null for nobody. */
export const assignAnalysis = (projectId: string, id: string, personId: string | null) =>
  request<AnalysisAnswer>(`${analysisPath(projectId, id)}/assignee`, { method: 'PUT', body: { personId } })
/** Null for none. */
export const linkTicket = (projectId: string, id: string, url: string | null) =>
  request<AnalysisAnswer>(`${analysisPath(projectId, id)}/ticket`, { method: 'PUT', body: { url } })
export const addComment = (projectId: string, id: string, text: string) =>
  request<AnalysisAnswer>(`${analysisPath(projectId, id)}/comments`, { method: 'POST', body: { text } })

const commentPath = (projectId: string, id: string, commentId: string) =>
  `${analysisPath(projectId, id)}/comments/${encodeURIComponent(commentId)}`
export const editComment = (projectId: string, id: string, commentId: string, text: string) =>
  request<AnalysisAnswer>(commentPath(projectId, id, commentId), { method: 'PATCH', body: { text } })
export const deleteComment = (projectId: string, id: string, commentId: string) =>
  request<AnalysisAnswer>(commentPath(projectId, id, commentId), { method: 'DELETE' })
