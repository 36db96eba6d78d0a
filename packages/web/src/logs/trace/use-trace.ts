/** The records of the trace that the query asks for, oldest first. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { MAX_LIMIT } from '@tidemark/wire/limits'
import { useMemo } from 'react'
import { searchQuery } from '../../api/logs.ts'
import { useLastRead } from '../last-read.ts'
import type { LogsAddress } from '../logs-address.ts'
import { traceOf } from './trace-of.ts'
import { waterfallOf } from './waterfall.ts'

/** More would be neither read nor drawn quickly; the page says that there are more. */
const MAX_PAGES = 4

export function useTrace({ projectId, filter, isReadable, search }: LogsAddress, asked: number) {
  const traceId = useMemo(() => traceOf(filter.query), [filter.query])
  const isAsked = search.view === 'trace' && isReadable && traceId !== undefined
  const paging = { order: 'oldest', limit: MAX_LIMIT } as const
  const found = useInfiniteQuery({ ...searchQuery(projectId, filter, asked, paging), enabled: isAsked })
  const error = isAsked ? found.error : null
  const read = isAsked && !found.isPlaceholderData ? found.data?.pages : undefined
  const pages = useLastRead(read, {
    isKept: isAsked && (error !== null || found.isFetching),
    of: `${projectId} ${traceId}`,
  })
  const waterfall = useMemo(() => pages && waterfallOf(pages.flatMap(({ rows }) => rows)), [pages])
  return {
    traceId,
    found,
    waterfall,
    warnings: pages?.[0]?.warnings ?? [],
    empty: pages?.[0]?.empty ?? null,
    /** There are more records than are shown; `canGrow`: some of them can be fetched. */
    isCut: found.hasNextPage,
    canGrow: found.hasNextPage && (pages?.length ?? 0) < MAX_PAGES,
    isBusy: found.isFetching,
    error,
    isOld: read === undefined,
    retry: found.isFetchNextPageError ? found.fetchNextPage : found.refetch,
  }
}

export type TraceState = ReturnType<typeof useTrace>
