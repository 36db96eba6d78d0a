import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { LogFilter } from '@tidemark/wire/dashboard/api-paths'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import { DAY_MS } from '@tidemark/wire/time/units'
import { useMemo, useState } from 'react'
import { knownDeploysQuery } from '../../api/deploys.ts'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { columnWidth } from '../../record/record-fields.ts'
import { resolveLocally } from '../../time/range.ts'
import { dimmed } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { FailedAbove } from '../failed.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { NothingFound } from '../nothing-found.tsx'
import { QueryWarnings } from '../query/query-warnings.tsx'
import { Unreadable } from '../unreadable.tsx'
import { chosenWidth } from './column-widths.ts'
import type { LineView } from './line-view.tsx'
import { NewRows } from './live-bar.tsx'
import { ColumnNames } from './log-line.tsx'
import { Stream } from './stream.tsx'
import { StreamPlaceholder } from './stream-placeholder.tsx'
import type { StreamState } from './use-stream.ts'

type SectionProps = {
  address: LogsAddress
  stream: StreamState
  counted: UseQueryResult<CountAnswer>
  asked: number
  /** Nothing was ever sent to the project. */
  isNew: boolean
}

export function StreamSection({ address, stream, counted, asked, isNew }: SectionProps) {
  const { filter, isReadable, isLive, search, columns } = address
  const { found, answer, isOld, retry, rows, live, current, scroller, open, onNearEnd } = stream
  const { zone, density, isWrapped, columnWidths } = usePreferences()
  const isNarrow = useIsBelow('sm')
  const [day, setDay] = useState<string>()
  const count = isReadable ? counted.data : undefined
  const hasDates = spanOf((answer ?? count)?.window, filter, asked) > DAY_MS
  // Of the first page: what is found further down does not move what is being read.
  const first = answer
  const view = useMemo<LineView>(() => {
    const logs = (first?.rows ?? []).filter((row) => row.kind === 'log')
    const chosen = columns.map((name) => {
      const sized = chosenWidth(columnWidths, name)
      return { name, characters: sized ?? columnWidth(logs, name), isSized: sized !== undefined }
    })
    return { zone, hasDates, isWrapped, isNarrow, columns: chosen }
  }, [zone, hasDates, isWrapped, isNarrow, columns, columnWidths, first])
  // After the rows, and only where one of them is a deploy: the store has much to count for it.
  const hasDeploys = useMemo(() => rows.some(({ kind }) => kind === 'deploy'), [rows])
  const deployed = answer && { environment: filter.environment, from: answer.window.from, to: answer.window.to }
  const known = useQuery({
    ...knownDeploysQuery(address.projectId, deployed),
    enabled: hasDeploys && deployed !== undefined && !found.isFetching,
  })
  return (
    <>
      <QueryWarnings address={address} warnings={answer?.warnings} />
      {rows.length > 0 && !isNarrow && <ColumnNames view={view} />}
      {isNarrow && hasDates && isReadable && (rows.length > 0 || found.isPending) && <DayBar day={day} />}
      <div className="relative min-h-0 flex-1">
        {isLive && <NewRows tail={live.tail} onShow={live.showNew} />}
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
          tabIndex={0}
          className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
        >
          {!isReadable && <Unreadable address={address} isLeft={rows.length > 0} />}
          {isReadable && found.isPending && <StreamPlaceholder view={view} density={density} />}
          {isReadable && found.error && (
            <FailedAbove
              error={found.error}
              isLeft={isOld && rows.length > 0}
              onRetry={() => {
                retry()
                if (counted.error) counted.refetch()
              }}
            />
          )}
          <div className={dimmed(isOld)} aria-busy={found.isPlaceholderData}>
            <Stream
              rows={rows}
              known={known.data}
              view={view}
              density={density}
              scroller={scroller}
              current={current}
              openId={search.record}
              onOpen={open}
              onNearEnd={onNearEnd}
              onDay={setDay}
            />
          </div>
          {isReadable &&
            !isOld &&
            !found.error &&
            typeof answer?.empty === 'string' &&
            !rows.some(({ kind }) => kind === 'log') && (
              <NothingFound address={address} why={answer.empty} nearest={answer.nearest} isNew={isNew} />
            )}
          {found.isFetchingNextPage && (
            <p className="p-2 text-center text-small text-faint">
              {search.order === 'oldest' ? 'Loading newer records' : 'Loading older records'}
            </p>
          )}
        </div>
      </div>
    </>
  )
}

/** Of the first row that is seen: on a phone the rows have no room for it. */
function DayBar({ day }: { day: string | undefined }) {
  return (
    <p
      title="Day of the first row below"
      className="flex h-6 shrink-0 items-center border-b border-border bg-background pl-[18px] text-tiny font-medium text-muted tabular-nums"
    >
      {day}
    </p>
  )
}

/** Of what was found, or until then of what is requested, so that dates do not push the rows aside when they arrive. */
function spanOf(window: CountAnswer['window'] | undefined, { from, to }: LogFilter, askedMs: number): number {
  if (window) return Date.parse(window.to) - Date.parse(window.from)
  const range = resolveLocally({ from, to }, askedMs)
  return range ? range.toMs - range.fromMs : 0
}
