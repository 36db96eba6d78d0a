import { queryOptions } from '@tanstack/react-query'
import type { GroupingRuleInput, GroupingRulesAnswer, IgnorePreview } from '@tidemark/wire/analyses/analysis'
import { projectApiPath } from '@tidemark/wire/dashboard/api-paths'
import { request } from './request.ts'

export const groupingRulesQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'grouping-rules'],
    queryFn: ({ signal }) => request<GroupingRulesAnswer>(`${projectApiPath(projectId)}/grouping-rules`, { signal }),
  })

export type IgnoringRule = Omit<Extract<GroupingRuleInput, { kind: 'ignore' }>, 'kind'>

/** What a rule that ignores would catch. */
export const ignorePreviewQuery = (projectId: string, rule: IgnoringRule) =>
  queryOptions({
    queryKey: ['project', projectId, 'analyses', 'ignore-preview', rule],
    queryFn: ({ signal }) =>
      request<IgnorePreview>(`${projectApiPath(projectId)}/grouping-rules/preview`, {
        method: 'POST',
        body: rule,
        signal,
      }),
  })

export const addGroupingRule = (projectId: string, rule: GroupingRuleInput) =>
  request<unknown>(`${projectApiPath(projectId)}/grouping-rules`, { method: 'POST', body: rule })
export const removeGroupingRule = (projectId: string, id: string) =>
  request<unknown>(`${projectApiPath(projectId)}/grouping-rules/${encodeURIComponent(id)}`, { method: 'DELETE' })
