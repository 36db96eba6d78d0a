/** Query, histogram, stream, fields and record: one page, all of it in its address. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { LogRow } from '@tidemark/wire/reading'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { histogramQuery, searchQuery } from '../api/logs.ts'
import { firstSignsQuery, projectQuery } from '../api/projects.ts'
import { changePreferences, usePreferences } from '../frame/preferences.ts'
import { Problem } from '../ui/problem.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Facets } from './facets.tsx'
import { Histogram } from './histogram.tsx'
import { HISTOGRAM_HEIGHT } from './histogram-layout.ts'
import { LiveControls, NewRows } from './live-bar.tsx'
import type { LineView } from './log-line.tsx'
import { useLogsAddress } from './logs-address.ts'
import { mergeRows, type StreamRow } from './merge-rows.ts'
import { NothingFound } from './nothing-found.tsx'
import { QueryBar } from './query-bar.tsx'
import { Stream } from './stream.tsx'
import { useLiveTail } from './use-live-tail.ts'
import { ValueMenuProvider } from './value-menu.tsx'
import { ViewMenu } from './view-menu.tsx'

const RecordPanel = lazy(() => import('./record-panel.tsx').then((module) => ({ default: module.RecordPanel })))

const DAY_MS = 86_400_000
/** While live, the histogram and its deploys are asked for again so often. */
const LIVE_COUNT_MS = 5_000

export function LogsPage() {
  const address = useLogsAddress()
  const { projectId, filter, search, columns, change } = address
  const { zone, density, isWrapped, hasFacets } = usePreferences()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(() => Date.now())
  const [isPaused, setPaused] = useState(false)
  const [current, setCurrent] = useState(-1)
  const input = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isLive = search.live === 'on'
  const refresh = useCallback(() => setAsked(Date.now()), [])

  const found = useInfiniteQuery(searchQuery(projectId, filter, asked))
  const counted = useQuery({
    ...histogramQuery(projectId, filter, asked),
    refetchInterval: isLive && !isPaused ? LIVE_COUNT_MS : false,
  })
  const project = useQuery(projectQuery(projectId))
  const signs = useQuery({ ...firstSignsQuery(projectId), enabled: project.data?.lastLogAt === null })
  const tail = useLiveTail({
    projectId,
    filter,
    isOn: isLive,
    isHeld: () => isPaused || (scroller.current?.scrollTop ?? 0) > 4,
    onReady: refresh,
  })

  const pages = found.data?.pages
  const liveDeploys = isLive ? counted.data?.deploys : undefined
  const rows = useMemo(() => {
    const searched = pages?.flatMap((page) => page.rows) ?? []
    return tail.rows.length === 0 && !liveDeploys?.length ? searched : mergeRows(tail.rows, liveDeploys ?? [], searched)
  }, [pages, tail.rows, liveDeploys])
  const answer = pages?.[0]
  const span = counted.data ? Date.parse(counted.data.window.to) - Date.parse(counted.data.window.from) : 0
  const view = useMemo<LineView>(
    () => ({ zone, hasDates: span > DAY_MS, isWrapped, columns }),
    [zone, span, isWrapped, columns],
  )

  // What was the first record for the service is the first search for this page.
  const hasFirstRecord = signs.data?.record ?? false
  useEffect(() => {
    if (!hasFirstRecord) return
    refresh()
    queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey })
  }, [hasFirstRecord, projectId, queryClient, refresh])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search has another first row
  useEffect(() => {
    setCurrent(-1)
    scroller.current?.scrollTo({ top: 0 })
  }, [filter.query, filter.environment, filter.from, filter.to])

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = found
  const onNearEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  const open = (row: StreamRow | undefined, index: number) => {
    if (!row) return
    setCurrent(index)
    if (row.kind === 'log') change({ record: row.id }, { replace: search.record !== undefined })
    else navigate({ to: '/projects/$projectId/deploys/$deployId', params: { projectId, deployId: row.id } })
  }
  // Or the button that was clicked last would take the next Enter or Space for itself.
  const focusStream = () => scroller.current?.focus({ preventScroll: true })
  const move = (step: number) => {
    const next = Math.min(Math.max(current + step, 0), rows.length - 1)
    setCurrent(next)
    focusStream()
    const row = rows[next]
    if (search.record !== undefined && row?.kind === 'log') change({ record: row.id }, { replace: true })
  }
  const toggleLive = () => {
    setPaused(false)
    change(isLive ? { live: undefined } : { live: 'on', to: undefined })
  }
  const showNew = () => {
    scroller.current?.scrollTo({ top: 0 })
    tail.showWaiting()
  }
  const togglePause = () => {
    if (isPaused) showNew()
    setPaused(!isPaused)
  }
  const closeRecord = () => change({ record: undefined }, { replace: true })

  useShortcuts({
    '/': () => input.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    arrowdown: () => move(1),
    arrowup: () => move(-1),
    w: () => changePreferences({ isWrapped: !isWrapped }),
    l: toggleLive,
    'mod+enter': refresh,
    ...(current >= 0 ? { enter: () => open(rows[current], current) } : {}),
    ...(search.record === undefined ? {} : { escape: closeRecord }),
    ...(isLive ? { ' ': togglePause } : {}),
  })

  return (
    <ValueMenuProvider address={address}>
      <main className="flex min-h-0 flex-1 flex-col">
        <h1 className="sr-only">Logs</h1>
        <div className="flex flex-wrap items-start gap-2 border-b border-border bg-background p-2">
          <QueryBar address={address} input={input} onRun={refresh} />
          <div className="flex h-9 items-center gap-1">
            <LiveControls
              tail={tail}
              isOn={isLive}
              isPaused={isPaused}
              onToggle={toggleLive}
              onPause={togglePause}
              onClicked={focusStream}
            />
            <ExportMenu address={address} />
            <ViewMenu address={address} asked={asked} />
          </div>
        </div>
        {counted.data ? (
          <Histogram answer={counted.data} address={address} />
        ) : (
          <div className="shrink-0 border-b border-border bg-surface p-3" style={{ height: HISTOGRAM_HEIGHT + 1 }}>
            {counted.error && <Problem error={counted.error} onRetry={counted.refetch} />}
          </div>
        )}
        <div className="relative flex min-h-0 flex-1">
          {hasFacets && <Facets address={address} asked={asked} />}
          <section aria-label="Stream" className="@container relative flex min-w-0 flex-1 flex-col bg-surface">
            <StreamHead total={counted.data?.total} warnings={answer?.warnings ?? []} isBusy={found.isFetching} />
            <div className="relative min-h-0 flex-1">
              {isLive && <NewRows tail={tail} onShow={showNew} />}
              <div
                ref={scroller}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
                tabIndex={0}
                className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
              >
                {found.isPending && (
                  <div className="p-3">
                    <SkeletonRows count={14} className="h-4" />
                  </div>
                )}
                {found.error && (
                  <div className="p-3">
                    <Problem error={found.error} onRetry={found.refetch} />
                  </div>
                )}
                {found.isSuccess && rows.length === 0 && (
                  <NothingFound
                    address={address}
                    why={answer?.empty ?? null}
                    isNew={project.data?.lastLogAt === null && !hasFirstRecord}
                  />
                )}
                <Stream
                  rows={rows}
                  view={view}
                  density={density}
                  scroller={scroller}
                  current={current}
                  openId={search.record}
                  onOpen={open}
                  onNearEnd={onNearEnd}
                />
                {isFetchingNextPage && <p className="p-2 text-center text-small text-faint">Loading older records</p>}
              </div>
            </div>
          </section>
          {search.record !== undefined && (
            <Suspense>
              <RecordPanel
                key={projectId}
                address={address}
                recordId={search.record}
                known={rows.find((row): row is LogRow => row.kind === 'log' && row.id === search.record)}
                onClose={closeRecord}
              />
            </Suspense>
          )}
        </div>
      </main>
    </ValueMenuProvider>
  )
}

function StreamHead({
  total,
  warnings,
  isBusy,
}: {
  total: number | undefined
  warnings: readonly { message: string }[]
  isBusy: boolean
}) {
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-3 border-b border-border px-3 text-tiny text-faint tabular-nums">
      <span role="status">{total === undefined ? 'Counting' : `${total.toLocaleString('en-US')} records`}</span>
      {warnings.map(({ message }) => (
        <span key={message} className="text-warn">
          {message}
        </span>
      ))}
      <span className="ml-auto">{isBusy ? 'Searching' : 'Newest first'}</span>
    </div>
  )
}
