/** Query, histogram, stream, fields and record: one page, all of it in its address. */
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { CountAnswer, LogRow } from '@tidemark/wire/reading'
import { DAY_MS } from '@tidemark/wire/time/units'
import { lazy, Suspense, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fieldsQuery, histogramQuery, type LogFilter, searchQuery } from '../api/logs.ts'
import { firstSignsQuery, projectQuery } from '../api/projects.ts'
import { mayComeBack, RequestError } from '../api/request.ts'
import { resolveLocally } from '../time/range.ts'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import { Problem } from '../ui/problem.tsx'
import { useShortcuts } from '../ui/shortcuts.ts'
import { ExportMenu } from './export-menu.tsx'
import { Facets } from './facets.tsx'
import { Histogram } from './histogram/histogram.tsx'
import { HistogramPlaceholder } from './histogram/histogram-placeholder.tsx'
import { useLogsAddress } from './logs-address.ts'
import { NothingFound } from './nothing-found.tsx'
import { QueryBar } from './query/query-bar.tsx'
import { LiveControls, NewRows } from './stream/live-bar.tsx'
import type { LineView } from './stream/log-line.tsx'
import { mergeRows, type StreamRow } from './stream/merge-rows.ts'
import { Stream } from './stream/stream.tsx'
import { StreamHead } from './stream/stream-head.tsx'
import { StreamPlaceholder } from './stream/stream-placeholder.tsx'
import { useLiveTail } from './stream/use-live-tail.ts'
import { ValueMenuProvider } from './value-menu.tsx'
import { ViewMenu } from './view-menu.tsx'

const FieldsDialog = lazy(() => import('./fields-dialog.tsx').then((module) => ({ default: module.FieldsDialog })))
const RecordPanel = lazy(() => import('./record/record-panel.tsx').then((module) => ({ default: module.RecordPanel })))

/** While live, the histogram and its deploys are fetched again this often. */
const LIVE_COUNT_MS = 5_000

export function LogsPage() {
  const address = useLogsAddress()
  const { projectId, filter, isReadable, search, columns, change } = address
  const { zone, density, isWrapped, hasFacets } = usePreferences()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(() => Date.now())
  const [isPaused, setPaused] = useState(false)
  const [current, setCurrent] = useState(-1)
  const [hasFieldsOpen, setFieldsOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const isLive = search.live === 'on'
  const refresh = useCallback(() => setAsked(Date.now()), [])

  const found = useInfiniteQuery({ ...searchQuery(projectId, filter, asked), enabled: isReadable })
  const counted = useQuery({
    ...histogramQuery(projectId, filter, asked),
    enabled: isReadable,
    refetchInterval: isLive && !isPaused ? LIVE_COUNT_MS : false,
  })
  // After the rows: these cost the store more, and people look at the rows first.
  const fields = useQuery({ ...fieldsQuery(projectId, filter, asked), enabled: isReadable && !found.isFetching })
  const project = useQuery(projectQuery(projectId))
  const signs = useQuery({ ...firstSignsQuery(projectId), enabled: project.data?.lastLogAt === null })
  const tail = useLiveTail({
    projectId,
    filter,
    isOn: isLive && isReadable,
    isHeld: () => isPaused || (scroller.current?.scrollTop ?? 0) > 4,
    onReady: refresh,
  })

  // Earlier results stay while the next are fetched; a query that cannot be read gets none.
  const pages = isReadable ? found.data?.pages : undefined
  const count = isReadable ? counted.data : undefined
  const liveDeploys = isLive ? count?.deploys : undefined
  const rows = useMemo(() => {
    const searched = pages?.flatMap((page) => page.rows) ?? []
    return tail.rows.length === 0 && !liveDeploys?.length ? searched : mergeRows(tail.rows, liveDeploys ?? [], searched)
  }, [pages, tail.rows, liveDeploys])
  const answer = pages?.[0]
  const hasDates = spanOf((answer ?? count)?.window, filter, asked) > DAY_MS
  const view = useMemo<LineView>(() => ({ zone, hasDates, isWrapped, columns }), [zone, hasDates, isWrapped, columns])

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
  // Otherwise the button that was clicked last would take the next Enter or Space.
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
        <div className="flex items-start gap-2 border-b border-border bg-background p-2 max-sm:gap-1">
          <QueryBar address={address} input={input} onRun={refresh} />
          <div className="flex h-9 items-center gap-1 max-sm:gap-0.5">
            <LiveControls
              tail={tail}
              isOn={isLive}
              isPaused={isPaused}
              onToggle={toggleLive}
              onPause={togglePause}
              onClicked={focusStream}
            />
            <ExportMenu address={address} />
            <ViewMenu address={address} fields={fields.data} onFields={() => setFieldsOpen(true)} />
          </div>
        </div>
        {count ? (
          <Histogram answer={count} address={address} />
        ) : (
          <HistogramPlaceholder isLoading={counted.isFetching}>
            {counted.error && !found.error && <Failed error={counted.error} onRetry={counted.refetch} />}
          </HistogramPlaceholder>
        )}
        <div className="relative flex min-h-0 flex-1">
          {hasFacets && <Facets address={address} answer={fields} />}
          <section aria-label="Stream" className="@container relative flex min-w-0 flex-1 flex-col bg-surface">
            <StreamHead
              total={count?.total}
              warnings={answer?.warnings ?? []}
              isCounting={counted.isFetching}
              isSearching={found.isFetching}
              hasRows={rows.length > 0}
              view={view}
            />
            <div className="relative min-h-0 flex-1">
              {isLive && <NewRows tail={tail} onShow={showNew} />}
              <div
                ref={scroller}
                // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
                tabIndex={0}
                className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
              >
                {!isReadable && <p className="px-3 py-4 text-muted">Correct the query above to search.</p>}
                {isReadable && found.isPending && <StreamPlaceholder density={density} hasDates={view.hasDates} />}
                {isReadable && found.error && (
                  <div className="p-3">
                    <Failed
                      error={found.error}
                      onRetry={() => {
                        found.refetch()
                        if (counted.error) counted.refetch()
                      }}
                    />
                  </div>
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
                {isReadable && typeof answer?.empty === 'string' && !rows.some(({ kind }) => kind === 'log') && (
                  <NothingFound
                    address={address}
                    why={answer.empty}
                    isNew={project.data?.lastLogAt === null && !hasFirstRecord}
                  />
                )}
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
        {hasFieldsOpen && (
          <Suspense>
            <FieldsDialog address={address} answer={fields} onClose={() => setFieldsOpen(false)} />
          </Suspense>
        )}
      </main>
    </ValueMenuProvider>
  )
}

/** Of what was found, or until then of what is requested, so that dates do not push the rows aside when they arrive. */
function spanOf(window: CountAnswer['window'] | undefined, { from, to }: LogFilter, askedMs: number): number {
  if (window) return Date.parse(window.to) - Date.parse(window.from)
  const range = resolveLocally({ from, to }, askedMs)
  return range ? range.toMs - range.fromMs : 0
}

/** What the service refuses it refuses again. Its own failure may be tried again, as its message says. */
function Failed({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const isRefused = error instanceof RequestError && error.status < 500 && !mayComeBack(error)
  return <Problem error={error} {...(isRefused ? {} : { onRetry })} />
}
