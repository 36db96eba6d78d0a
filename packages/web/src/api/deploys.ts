import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { deployPath, deploysPath, withParameters } from '@tidemark/wire/dashboard/api-paths'
import type { DeployDetailAnswer, DeploysAnswer } from '@tidemark/wire/reading/deploys'
import { DAY_MS } from '@tidemark/wire/time/units'
import { keepOfProject, request } from './request.ts'

const PAGE_ROWS = 50
/** The next request comes no sooner than this, however the clocks differ from the time that the service names. */
const LEAST_WAIT_MS = 60_000
/** The clock of the service may be a moment ahead of ours. */
const MARGIN_MS = 2_000
/** A visitor who comes back to the page sees what is known by now, unless it was asked just before. */
const FRESH_MS = 30_000

type DeployFilter = {
  environment: string | undefined
  status: string | undefined
  from: string | undefined
  to: string | undefined
}

export const deploysQuery = (projectId: string, filter: DeployFilter) =>
  infiniteQueryOptions({
    queryKey: ['project', projectId, 'deploys', filter],
    queryFn: ({ signal, pageParam }) =>
      request<DeploysAnswer>(
        withParameters(deploysPath(projectId), { ...filter, limit: PAGE_ROWS, cursor: pageParam }),
        { signal },
      ),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }: DeploysAnswer) => nextCursor ?? undefined,
    placeholderData: keepOfProject(projectId),
    refetchInterval: ({ state: { data } }) =>
      askAgainAfterMs(data?.pages.flatMap(({ deploys }) => deploys) ?? [], Date.now()),
    refetchOnWindowFocus: ({ state: { dataUpdatedAt } }) => Date.now() - dataUpdatedAt > FRESH_MS,
  })

/** What is known by now of the newest deploys of a window, by their ids: their verdicts, and how many analyses each introduced. */
export const knownDeploysQuery = (
  projectId: string,
  window: { environment: string | undefined; from: string; to: string } | undefined,
) =>
  queryOptions({
    queryKey: ['project', projectId, 'known-deploys', window],
    queryFn: async ({ signal }) => {
      const asked = { ...window, status: 'succeeded', limit: PAGE_ROWS }
      const { deploys } = await request<DeploysAnswer>(withParameters(deploysPath(projectId), asked), { signal })
      return new Map(deploys.map((deploy) => [deploy.id, deploy]))
    },
    staleTime: FRESH_MS,
  })

export const deployQuery = (projectId: string, deployId: string) =>
  queryOptions({
    queryKey: ['project', projectId, 'deploy', deployId],
    queryFn: ({ signal }) => request<DeployDetailAnswer>(deployPath(projectId, deployId), { signal }),
    refetchInterval: ({ state: { data } }) => askAgainAfterMs(data ? [data] : [], Date.now()),
    refetchOnWindowFocus: ({ state: { dataUpdatedAt } }) => Date.now() - dataUpdatedAt > FRESH_MS,
  })

/** When the first verdict is due among those that are too early; false when there is nothing to wait for. */
export function askAgainAfterMs(verdicts: readonly { checkAgainAt: string | null }[], nowMs: number): number | false {
  const times = verdicts.flatMap(({ checkAgainAt }) => (checkAgainAt === null ? [] : [Date.parse(checkAgainAt)]))
  if (times.length === 0) return false
  return Math.min(Math.max(Math.min(...times) + MARGIN_MS - nowMs, LEAST_WAIT_MS), DAY_MS)
}
