/** The rows of the stream: what was found, what arrives live, and the deploys between them. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import { useCallback, useMemo, useRef } from 'react'
import { searchQuery } from '../../api/logs.ts'
import { type Range, resolveLocally } from '../../time/range.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { useToast } from '../../ui/toast.tsx'
import { useIsOther, useLastRead } from '../last-read.ts'
import type { LogsAddress } from '../logs-address.ts'
import { useCurrentRow } from '../use-current-row.ts'
import { mergeRows } from './merge-rows.ts'
import { useLiveTail } from './use-live-tail.ts'

type Options = {
  asked: number
  count: CountAnswer | undefined
  isPaused: boolean
  setPaused: (isPaused: boolean) => void
  onReady: () => void
}

export function useStream(address: LogsAddress, { asked, count, isPaused, setPaused, onReady }: Options) {
  const { projectId, filter, isReadable, isLive, search, change } = address
  const isShown = search.view === undefined
  const navigate = useNavigate()
  const say = useToast()
  const scroller = useRef<HTMLDivElement>(null)
  const found = useInfiniteQuery({
    ...searchQuery(projectId, filter, asked, { order: search.order }),
    enabled: isReadable && isShown,
  })
  const tail = useLiveTail({
    projectId,
    filter,
    isOn: isLive && isReadable,
    isHeld: () => isPaused || (scroller.current?.scrollTop ?? 0) > 4,
    onReady,
  })

  // Earlier results stay while the next are fetched, after a failure, and while the query cannot be read.
  const { error, isFetchNextPageError } = found
  const pages = useLastRead(isReadable ? found.data?.pages : undefined, {
    isKept: !isReadable || error !== null,
    of: projectId,
  })
  const liveDeploys = isLive ? count?.deploys : undefined
  const rows = useMemo(() => {
    const searched = pages?.flatMap((page) => page.rows) ?? []
    return tail.rows.length === 0 && !liveDeploys?.length ? searched : mergeRows(tail.rows, liveDeploys ?? [], searched)
  }, [pages, tail.rows, liveDeploys])

  const openRow = (index: number) => {
    const row = rows[index]
    if (!row) return
    if (row.kind === 'log') change({ record: row.id }, { replace: search.record !== undefined })
    else navigate({ to: '/projects/$projectId/deploys/$deployId', params: { projectId, deployId: row.id } })
  }
  const follow = (index: number) => {
    const row = rows[index]
    if (search.record !== undefined && row?.kind === 'log') change({ record: row.id }, { replace: true })
  }
  const of = [filter, search.order]
  const { current, open, focus } = useCurrentRow({
    count: rows.length,
    of,
    scroller,
    isShown,
    onOpen: openRow,
    onMove: follow,
  })

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  const toggleLive = () => {
    setPaused(false)
    if (isLive) return change({ live: undefined })
    const { from, to, order } = search
    change({ live: 'on', to: undefined, order: undefined })
    if (!hasEnded({ from, to }, count?.window)) return
    say('The live tail starts now, so the range no longer ends in the past.', {
      label: 'Back to the range',
      run: () => change({ live: undefined, from, to, order }),
    })
  }
  const showNew = () => {
    scroller.current?.scrollTo({ top: 0 })
    tail.showWaiting()
  }
  const togglePause = () => {
    if (isPaused) showNew()
    setPaused(!isPaused)
  }
  useShortcuts({ ...(isShown ? { l: toggleLive } : {}), ...(isLive ? { ' ': togglePause } : {}) })

  const answer = pages?.[0]
  /** The rows are those of an earlier search. */
  const isOfOther = useIsOther(found.isPlaceholderData, JSON.stringify([filter, search.order]))
  const isOld = !isReadable || isOfOther || (error !== null && !isFetchNextPageError)
  const retry = isFetchNextPageError ? fetchNextPage : found.refetch
  const live = { tail, toggleLive, togglePause, showNew }
  return { found, answer, isOld, retry, rows, live, current, scroller, focus, open, onNearEnd }
}

/** A tail of it would show nothing. Where its end counts from a deploy, the service has resolved it. */
function hasEnded(range: Range, window: CountAnswer['window'] | undefined): boolean {
  if (range.to === undefined) return false
  const toMs = resolveLocally(range, Date.now())?.toMs ?? Date.parse(window?.to ?? '')
  return toMs < Date.now()
}

export type StreamState = ReturnType<typeof useStream>
