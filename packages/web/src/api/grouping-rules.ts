import { queryOptions } from '@tanstack/react-query'
import type {
  GroupingRuleInput,
  GroupingRulesAnswer,
  GroupingRuleView,
  IgnorePreview,
  RemovedGroupingRule,
} from '@tidemark/wire/analyses/analysis'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
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
  request<GroupingRuleView>(`${projectApiPath(projectId)}/grouping-rules`, { method: 'POST', body: rule })
/** With `restore`, what it ignored is as it was before, and the answer says how many are. */
export const removeGroupingRule = (projectId: string, id: string, { restore }: { restore: boolean }) =>
  request<RemovedGroupingRule | undefined>(
    withParameters(`${projectApiPath(projectId)}/grouping-rules/${encodeURIComponent(id)}`, {
      restore: restore ? 'true' : undefined,
    }),
    { method: 'DELETE' },
  )
