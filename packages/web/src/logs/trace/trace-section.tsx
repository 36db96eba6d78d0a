/** One trace across services: a waterfall of its records, and the records themselves below it. */
import { counted } from '@tidemark/wire/text/counted'
import { useMemo, useRef, useState } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { lineOf } from '../../text/record-line.ts'
import { formatClock, formatExact } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames, dimmed } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { LINE_PX, usePreferences } from '../../ui/preferences.ts'
import { Skeleton, SkeletonRows } from '../../ui/skeleton.tsx'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { FailedAbove } from '../failed.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { NothingFound } from '../nothing-found.tsx'
import { QueryWarnings } from '../query/query-warnings.tsx'
import { Unreadable } from '../unreadable.tsx'
import { useCurrentRow } from '../use-current-row.ts'
import { TraceBeginning } from './trace-beginning.tsx'
import { TraceLanes } from './trace-lanes.tsx'
import type { TraceState } from './use-trace.ts'
import { microseconds, sinceWords } from './waterfall.ts'

type SectionProps = { address: LogsAddress; trace: TraceState; isNew: boolean }

export function TraceSection({ address, trace, isNew }: SectionProps) {
  const { filter, isReadable, search, change, projectId } = address
  const { traceId, waterfall, warnings, empty, isCut, canGrow, error, retry, isOld, found } = trace
  const { density, zone } = usePreferences()
  const scroller = useRef<HTMLDivElement>(null)
  const [lane, setLane] = useState<string>()
  const chosen = waterfall?.lanes.find(({ key }) => key === lane)
  const rows = useMemo(() => chosen?.marks.map(({ row }) => row) ?? waterfall?.records ?? [], [chosen, waterfall])

  const show = (id: string) => change({ record: id }, { replace: search.record !== undefined })
  const onOpen = (index: number) => rows[index] && show(rows[index].id)
  const onMove = (index: number) => {
    const row = rows[index]
    if (search.record !== undefined && row) change({ record: row.id }, { replace: true })
  }
  const of = [filter, lane]
  const { current, open } = useCurrentRow({ count: rows.length, of, scroller, onOpen, onMove })

  if (!isReadable) return <Unreadable address={address} isLeft={false} />
  if (traceId === undefined) {
    return (
      <Empty title="The query names no trace">
        <p>
          Open a record that has a trace id and choose Show the trace, or ask for one:{' '}
          <code className="font-mono">traceId:4bf92f35…</code>
        </p>
        <Button className="mt-4" onClick={() => change({ view: undefined })}>
          Back to the stream
        </Button>
      </Empty>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <QueryWarnings address={address} warnings={warnings} />
      {error && <FailedAbove error={error} onRetry={retry} isLeft={isOld && waterfall !== undefined} />}
      {!waterfall && !error && (
        <div className="flex flex-col gap-3 p-3">
          <Skeleton className="h-28" />
          <SkeletonRows />
        </div>
      )}
      {waterfall?.first && <TraceBeginning projectId={projectId} first={waterfall.first} startUs={waterfall.startUs} />}
      {waterfall && waterfall.records.length > 0 && (
        <TraceLanes
          isOld={isOld}
          projectId={projectId}
          waterfall={waterfall}
          chosen={chosen?.key}
          openId={search.record}
          onChoose={setLane}
          onOpen={show}
        />
      )}
      {waterfall && isCut && (
        <p className="flex shrink-0 items-center gap-2 border-b border-border px-3 py-1 text-small text-warn">
          Only the first {counted(waterfall.records.length, 'record')} of the trace are shown.
          {canGrow ? (
            <Button look="quiet" isBusy={found.isFetchingNextPage} onClick={() => found.fetchNextPage()}>
              Show more
            </Button>
          ) : (
            ' Narrow the query to see the others.'
          )}
        </p>
      )}
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className={classNames('min-h-0 flex-1 overflow-y-auto overflow-x-hidden [overflow-anchor:none]', dimmed(isOld))}
      >
        <VirtualRows
          label="Records of the trace"
          count={rows.length}
          keyOf={(index) => rows[index]?.id ?? index}
          rowPx={LINE_PX[density]}
          isMeasured={false}
          scroller={scroller}
          current={current}
        >
          {(index) => {
            const row = rows[index]
            if (!row || !waterfall) return null
            const look = levelLook(row.level)
            return (
              <button
                type="button"
                onClick={() => open(index)}
                aria-pressed={row.id === search.record}
                className={classNames(
                  'flex h-full w-full items-center gap-2 border-l-[3px] pr-3 text-left font-mono text-small hover:bg-hover',
                  index === current ? 'border-accent' : 'border-transparent',
                  row.id === search.record && 'bg-accent-surface',
                )}
              >
                <span className={classNames('ml-1 w-[3px] shrink-0 self-stretch', look.bar)} aria-hidden="true" />
                <time
                  dateTime={row.timestamp}
                  title={formatExact(row.timestamp, zone)}
                  className="min-w-[12ch] shrink-0 text-muted tabular-nums max-sm:hidden"
                >
                  {formatClock(row.timestamp, zone)}
                </time>
                <span className="w-20 shrink-0 text-right text-muted tabular-nums">
                  {sinceWords(microseconds(row.timestamp) - waterfall.startUs)}
                </span>
                <span className={classNames('w-3 shrink-0 font-semibold', look.text)} title={row.level}>
                  {look.letter}
                </span>
                <span className="w-28 shrink-0 truncate text-muted max-sm:w-16">{plainLine(row.service)}</span>
                <span className={classNames('min-w-0 flex-1 truncate', look.isLoud && look.text)}>
                  {plainBeginning(lineOf(row), 400)}
                </span>
              </button>
            )
          }}
        </VirtualRows>
        {waterfall && waterfall.records.length === 0 && empty !== null && (
          <NothingFound address={address} why={empty} isNew={isNew} />
        )}
      </div>
    </div>
  )
}
