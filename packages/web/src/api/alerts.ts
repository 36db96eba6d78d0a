import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type {
  AlertsAnswer,
  ChangeAlertRuleInput,
  ChangeChannelInput,
  ChannelTestAnswer,
  DeliveriesAnswer,
  NewAlertRuleInput,
  NewChannelAnswer,
  NewChannelInput,
} from '@tidemark/wire/alerts/alert'
import { projectApiPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import { request } from './request.ts'

const PAGE = 50
const alertsPath = (projectId: string) => `${projectApiPath(projectId)}/alerts`
const channelPath = (projectId: string, id: string) => `${alertsPath(projectId)}/channels/${encodeURIComponent(id)}`
const rulePath = (projectId: string, id: string) => `${alertsPath(projectId)}/rules/${encodeURIComponent(id)}`

export const alertsQuery = (projectId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'alerts'],
    queryFn: ({ signal }) => request<AlertsAnswer>(alertsPath(projectId), { signal }),
  })

export const deliveriesQuery = (projectId: string) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'alert-deliveries'],
    queryFn: ({ signal, pageParam }) => {
      const path = withParameters(`${alertsPath(projectId)}/deliveries`, { before: pageParam, limit: PAGE })
      return request<DeliveriesAnswer>(path, { signal })
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextBefore }: DeliveriesAnswer) => nextBefore ?? undefined,
  })

export const addChannel = (projectId: string, input: NewChannelInput) =>
  request<NewChannelAnswer>(`${alertsPath(projectId)}/channels`, { method: 'POST', body: input })
export const changeChannel = (projectId: string, id: string, input: ChangeChannelInput) =>
  request<unknown>(channelPath(projectId, id), { method: 'PATCH', body: input })
export const removeChannel = (projectId: string, id: string) =>
  request<unknown>(channelPath(projectId, id), { method: 'DELETE' })
export const testChannel = (projectId: string, id: string) =>
  request<ChannelTestAnswer>(`${channelPath(projectId, id)}/test`, { method: 'POST', body: {} })
export const addRule = (projectId: string, input: NewAlertRuleInput) =>
  request<unknown>(`${alertsPath(projectId)}/rules`, { method: 'POST', body: input })
export const changeRule = (projectId: string, id: string, input: ChangeAlertRuleInput) =>
  request<unknown>(rulePath(projectId, id), { method: 'PATCH', body: input })
export const removeRule = (projectId: string, id: string) =>
  request<unknown>(rulePath(projectId, id), { method: 'DELETE' })
