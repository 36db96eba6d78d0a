/** Query, histogram, stream or patterns, fields and record: one page, all of it in its address. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { LogRow } from '@tidemark/wire/reading/row'
import { ZoomOut } from 'lucide-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react'
import { fieldsQuery, histogramBeforeQuery, histogramQuery } from '../api/logs.ts'
import { firstArrivalsQuery, projectQuery } from '../api/projects.ts'
import { ValueMenuProvider } from '../record/value-menu.tsx'
import { zoomedOut } from '../time/zoom-out.ts'
import { IconButton } from '../ui/button.tsx'
import { dimmed } from '../ui/class-names.ts'
import { Later } from '../ui/later.tsx'
import { changePreferences, usePreferences } from '../ui/preferences.ts'
import { useShortcuts } from '../ui/shortcuts.ts'
import { Awaited } from '../ui/skeleton.tsx'
import { ExportMenu } from './export-menu.tsx'
import { Facets } from './facets.tsx'
import { Failed } from './failed.tsx'
import { takeAsked } from './first-search.ts'
import { GroupsStatus } from './groups/groups-status.tsx'
import { useGroups } from './groups/use-groups.ts'
import { Histogram } from './histogram/histogram.tsx'
import { HistogramPlaceholder } from './histogram/histogram-placeholder.tsx'
import { useIsOther, useLastRead } from './last-read.ts'
import { useLogsAddress } from './logs-address.ts'
import { PatternsStatus } from './patterns/patterns-status.tsx'
import { usePatterns } from './patterns/use-patterns.ts'
import { QueryBar } from './query/query-bar.tsx'
import { refusedPart } from './query/refused-query.ts'
import { LiveControls } from './stream/live-bar.tsx'
import { StreamSection } from './stream/stream-section.tsx'
import { StreamStatus } from './stream/stream-status.tsx'
import { useStream } from './stream/use-stream.ts'
import { TraceStatus } from './trace/trace-status.tsx'
import { useTrace } from './trace/use-trace.ts'
import { inView, Refresh, ViewBar } from './view-bar.tsx'
import { ViewMenu } from './view-menu.tsx'
import { SavedViews } from './views/saved-views.tsx'

const FieldsDialog = lazy(() => import('./fields-dialog.tsx').then((module) => ({ default: module.FieldsDialog })))
const GroupsSection = lazy(() =>
  import('./groups/groups-section.tsx').then((module) => ({ default: module.GroupsSection })),
)
const PatternPanel = lazy(() =>
  import('./patterns/pattern-panel.tsx').then((module) => ({ default: module.PatternPanel })),
)
const PatternsSection = lazy(() =>
  import('./patterns/patterns-section.tsx').then((module) => ({ default: module.PatternsSection })),
)
const RecordPanel = lazy(() => import('../record/record-panel.tsx').then((module) => ({ default: module.RecordPanel })))

const VIEW_NAMES = { stream: 'Stream', patterns: 'Patterns', groups: 'Groups', trace: 'Trace' } as const

const TraceSection = lazy(() =>
  import('./trace/trace-section.tsx').then((module) => ({ default: module.TraceSection })),
)

/** While live, the histogram and its deploys are fetched again this often. */
const LIVE_COUNT_MS = 5_000
/** The fields cost more, and their order changes seldom. */
const LIVE_FIELDS_MS = 20_000

export function LogsPage() {
  const address = useLogsAddress()
  const { projectId, filter, isReadable, isLive, search, change } = address
  const view = search.view ?? 'stream'
  const isStream = view === 'stream'
  const { isWrapped, hasFacets } = usePreferences()
  const queryClient = useQueryClient()
  const [asked, setAsked] = useState(() => takeAsked())
  const [isPaused, setPaused] = useState(false)
  const [hasFieldsOpen, setFieldsOpen] = useState(false)
  const input = useRef<HTMLInputElement>(null)
  const refresh = useCallback(() => setAsked(Date.now()), [])

  const counted = useQuery({
    ...histogramQuery(projectId, filter, asked),
    enabled: isReadable,
    refetchInterval: isLive && !isPaused ? LIVE_COUNT_MS : false,
  })
  const hasCountFailed = isReadable && counted.error !== null
  const count = useLastRead(isReadable ? counted.data : undefined, {
    isKept: hasCountFailed || !isReadable,
    of: projectId,
  })
  const isCountOfOther = useIsOther(counted.isPlaceholderData, JSON.stringify(filter))
  const isCountOld = hasCountFailed || !isReadable || isCountOfOther
  const before = useQuery({
    ...histogramBeforeQuery(projectId, filter, count),
    enabled: search.before === 'on' && count !== undefined && !isCountOld && !counted.isPlaceholderData && !isLive,
  })
  const stream = useStream(address, { asked, count, isPaused, setPaused, onReady: refresh })
  const patterns = usePatterns(address, { asked, histogram: counted })
  const groups = useGroups(address, { asked, histogram: counted })
  const trace = useTrace(address, asked)
  const shown = { patterns, groups, trace, stream: { isBusy: stream.found.isFetching, error: stream.found.error } }
  const { isBusy, error } = shown[view]
  // After the rows: these cost the store more, and people look at the rows first.
  const fields = useQuery({
    ...fieldsQuery(projectId, filter, asked),
    enabled: isReadable && !isBusy && !error,
    refetchInterval: isLive && !isPaused ? LIVE_FIELDS_MS : false,
  })
  const project = useQuery(projectQuery(projectId))
  const arrivals = useQuery({ ...firstArrivalsQuery(projectId), enabled: project.data?.lastLogAt === null })

  // Once the project's first record has arrived, the page asks again: what it shows was asked before there were any.
  const hasFirstRecord = arrivals.data?.record ?? false
  useEffect(() => {
    if (!hasFirstRecord) return
    refresh()
    queryClient.invalidateQueries({ queryKey: projectQuery(projectId).queryKey })
  }, [hasFirstRecord, projectId, queryClient, refresh])
  const matching = isCountOld || counted.isPlaceholderData ? undefined : count?.total
  const isNew = project.data?.lastLogAt === null && !hasFirstRecord

  const recordsShown = view === 'trace' ? (trace.waterfall?.records ?? []) : stream.rows
  const hasPanel = search.record !== undefined || patterns.openRow !== undefined
  const zoomOut = () => {
    const wider = count && zoomedOut({ from: search.from, to: search.to }, count.window, Date.now())
    if (wider) change({ ...wider, live: undefined })
  }
  const closeRecord = () => change({ record: undefined }, { replace: true })
  const closePattern = () => change({ pattern: undefined }, { replace: true })
  useShortcuts({
    '/': () => input.current?.focus(),
    p: () => change(inView(view === 'patterns' ? undefined : 'patterns')),
    b: () => change(inView(view === 'groups' ? undefined : 'groups')),
    z: zoomOut,
    ...(isStream && !isLive ? { o: () => change({ order: search.order ? undefined : 'oldest' }) } : {}),
    w: () => changePreferences({ isWrapped: !isWrapped }),
    'mod+enter': refresh,
    ...(patterns.openRow ? { escape: closePattern } : {}),
    ...(search.record === undefined ? {} : { escape: closeRecord }),
  })

  return (
    <ValueMenuProvider address={address}>
      <main className="flex min-h-0 flex-1 flex-col">
        <h1 className="sr-only">Logs</h1>
        <div className="flex items-start gap-2 border-b border-border bg-background p-2 max-sm:flex-col max-sm:gap-1">
          <Later instead={<BarPlaceholder />}>
            <QueryBar address={address} input={input} onRun={refresh} refused={refusedPart(error ?? counted.error)} />
            <div className="flex h-9 items-center gap-1 sm:pointer-coarse:h-11 max-sm:h-control max-sm:w-full">
              {isStream ? (
                <LiveControls live={stream.live} isOn={isLive} isPaused={isPaused} onClicked={stream.focus} />
              ) : (
                <Refresh onRefresh={refresh} />
              )}
              <span className="mr-auto sm:hidden" />
              <IconButton label="Zoom out (z)" onClick={zoomOut} disabled={!count}>
                <ZoomOut size={15} aria-hidden="true" />
              </IconButton>
              <SavedViews address={address} />
              <ExportMenu address={address} />
              <ViewMenu address={address} fields={fields.data} onFields={() => setFieldsOpen(true)} />
            </div>
          </Later>
        </div>
        {count ? (
          <div className={dimmed(isCountOld)}>
            <Histogram answer={count} before={search.before === 'on' ? before.data : undefined} address={address} />
          </div>
        ) : (
          <HistogramPlaceholder isLoading={counted.isFetching}>
            {counted.error && !error && <Failed error={counted.error} onRetry={counted.refetch} />}
          </HistogramPlaceholder>
        )}
        <div className="relative flex min-h-0 flex-1">
          {hasFacets && (
            <Facets
              address={address}
              answer={fields}
              total={matching}
              hasFailed={error !== null && !fields.data}
              isBesidePanel={hasPanel}
            />
          )}
          <section
            aria-label={VIEW_NAMES[view]}
            className="@container relative flex min-w-0 flex-1 flex-col bg-surface"
          >
            <ViewBar address={address} hasTrace={trace.traceId !== undefined}>
              {isStream && (
                <StreamStatus
                  address={address}
                  count={count}
                  isCountOld={isCountOld}
                  isCounting={counted.isFetching}
                  stream={stream}
                />
              )}
              {view === 'patterns' && <PatternsStatus patterns={patterns} />}
              {view === 'groups' && <GroupsStatus groups={groups} />}
              {view === 'trace' && <TraceStatus trace={trace} />}
            </ViewBar>
            {isStream && (
              <StreamSection address={address} stream={stream} counted={counted} asked={asked} isNew={isNew} />
            )}
            <Suspense>
              {view === 'patterns' && (
                <PatternsSection key={projectId} address={address} patterns={patterns} isNew={isNew} />
              )}
              {view === 'groups' && (
                <GroupsSection key={projectId} address={address} state={groups} fields={fields.data} isNew={isNew} />
              )}
              {view === 'trace' && <TraceSection key={trace.traceId} address={address} trace={trace} isNew={isNew} />}
            </Suspense>
          </section>
          {patterns.answer && patterns.openRow && search.record === undefined && (
            <Suspense>
              <PatternPanel
                key={patterns.openRow.id}
                address={address}
                answer={patterns.answer}
                row={patterns.openRow}
                errorSample={patterns.samples.get(patterns.openRow.sampleId ?? '')}
                deploys={patterns.marks}
                onClose={closePattern}
              />
            </Suspense>
          )}
          {search.record !== undefined && (
            <Suspense>
              <RecordPanel
                key={projectId}
                address={address}
                recordId={search.record}
                known={recordsShown.find((row): row is LogRow => row.kind === 'log' && row.id === search.record)}
                onClose={closeRecord}
              />
            </Suspense>
          )}
        </div>
        {hasFieldsOpen && (
          <Suspense fallback={<Awaited />}>
            <FieldsDialog address={address} answer={fields} total={matching} onClose={() => setFieldsOpen(false)} />
          </Suspense>
        )}
      </main>
    </ValueMenuProvider>
  )
}

/** As high as the query and, below it on a phone, the buttons. */
function BarPlaceholder() {
  return (
    <>
      <span className="h-9 pointer-coarse:h-11" />
      <span className="h-control sm:hidden" />
    </>
  )
}
