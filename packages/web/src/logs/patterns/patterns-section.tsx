/** What the records of a search say: one row for each pattern of their messages, counted over all of them. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { counted } from '@tidemark/wire/counted'
import type { PatternsAnswer } from '@tidemark/wire/patterns'
import type { CountAnswer, DeployRow } from '@tidemark/wire/reading'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { patternsQuery } from '../../api/logs.ts'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { formatClock } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { useWidth } from '../../ui/use-width.ts'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { Failed } from '../failed.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { NothingFound } from '../nothing-found.tsx'
import { useCurrentRow } from '../use-current-row.ts'
import { ViewBar } from '../view-bar.tsx'
import { comparisonOf, patternsInputOf } from './comparison.ts'
import { deployMarks } from './deploy-marks.ts'
import { inOrder, sortOf } from './pattern-order.ts'
import { PatternPanel } from './pattern-panel.tsx'
import { PatternColumns, PatternRow, type RowView } from './pattern-row.tsx'
import { PatternsPlaceholder } from './patterns-placeholder.tsx'
import { PatternsToolbar } from './patterns-toolbar.tsx'

const ROW_PX = { compact: 28, roomy: 32 }
/** A line of numbers and one of the pattern. */
const NARROW_ROW_PX = 55
/** Narrower than this the numbers stand above the pattern. */
const NARROW_PX = 520

type SectionProps = {
  address: LogsAddress
  counted: UseQueryResult<CountAnswer>
  asked: number
  /** Nothing was ever sent to the project. */
  isNew: boolean
}

export function PatternsSection({ address, counted: histogram, asked, isNew }: SectionProps) {
  const { projectId, filter, isReadable, search, change } = address
  const { zone, density, isWrapped } = usePreferences()
  const [box, width] = useWidth<HTMLElement>()
  const isPhone = useIsBelow('sm')
  const isNarrow = width === 0 ? isPhone : width < NARROW_PX
  const scroller = useRef<HTMLDivElement>(null)
  const comparison = useMemo(() => comparisonOf(search.compare), [search.compare])
  const window = histogram.isPlaceholderData ? undefined : histogram.data?.window
  const input = isReadable ? patternsInputOf(filter, comparison, window) : undefined
  const found = useQuery(patternsQuery(projectId, input, asked))
  const answer = isReadable ? found.data : undefined
  const error = found.error ?? (input === undefined ? histogram.error : null)
  const isBusy = found.isFetching || (input === undefined && histogram.isFetching)
  const isCurrentAnswer = answer !== undefined && !found.isPlaceholderData
  const hasBase = answer !== undefined && answer.baseWindow !== null
  const sort = sortOf(search.sort, comparison.kind !== 'off')
  const rows = useMemo(() => inOrder(answer?.patterns ?? [], sort), [answer, sort])
  const openRow = rows.find(({ id }) => id === search.pattern)

  const deploys = histogram.data?.deploys ?? NO_DEPLOYS
  const view = useMemo<RowView>(() => {
    const marks = answer ? deployMarks(deploys, answer) : []
    return { zone, hasBase, isWrapped, isNarrow, deploys: marks }
  }, [zone, hasBase, isWrapped, isNarrow, deploys, answer])

  const open = (index: number) => {
    const row = rows[index]
    if (!row) return
    setCurrent(index)
    const isOpen = row.id === search.pattern && search.record === undefined
    change({ pattern: isOpen ? undefined : row.id, record: undefined }, { replace: search.pattern !== undefined })
  }
  const follow = (index: number) => {
    const row = rows[index]
    if (search.pattern !== undefined && row) change({ pattern: row.id, record: undefined }, { replace: true })
  }
  const close = () => change({ pattern: undefined }, { replace: true })
  const { current, setCurrent } = useCurrentRow({ count: rows.length, scroller, onOpen: open, onMove: follow })
  useShortcuts(openRow && search.record === undefined ? { escape: close } : {})
  const opener = useRef(open)
  useEffect(() => {
    opener.current = open
  })
  const onOpen = useCallback((index: number) => opener.current(index), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another question has another first row
  useEffect(() => {
    setCurrent(-1)
    scroller.current?.scrollTo({ top: 0 })
  }, [filter.query, filter.environment, filter.from, filter.to, search.compare, sort])

  const compareBefore = () => change({ compare: undefined, pattern: undefined })
  const isOfDeploy = comparison.kind === 'deploy'
  return (
    <>
      <section ref={box} aria-label="Patterns" className="@container relative flex min-w-0 flex-1 flex-col bg-surface">
        <ViewBar address={address}>
          <span role="status">{answer && !isBusy && totalWords(answer)}</span>
          <span className={classNames('ml-auto', !isBusy && 'hidden @[420px]:inline')}>
            {isBusy
              ? 'Counting'
              : isCurrentAnswer && `Counted at ${formatClock(iso(found.dataUpdatedAt), zone).slice(0, 8)}`}
          </span>
        </ViewBar>
        <PatternsToolbar
          address={address}
          comparison={comparison}
          sort={sort}
          deploys={deploys}
          answer={isCurrentAnswer ? answer : undefined}
        />
        {isCurrentAnswer &&
          answer.warnings.map(({ message }) => (
            <p key={message} className="shrink-0 border-b border-border px-3 py-1 text-small text-warn">
              {message}
            </p>
          ))}
        {rows.length > 0 && !isNarrow && <PatternColumns view={view} />}
        <div
          ref={scroller}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
        >
          {!isReadable && <p className="px-3 py-4 text-muted">Correct the query above to search.</p>}
          {isReadable && !answer && !error && (
            <PatternsPlaceholder isNarrow={isNarrow} hasBase={comparison.kind !== 'off'} density={density} />
          )}
          {isReadable && error && (
            <div className="p-3">
              <Failed error={error} onRetry={found.error ? found.refetch : histogram.refetch}>
                {isOfDeploy && (
                  <Button className="mt-2" onClick={compareBefore}>
                    Compare with the time before
                  </Button>
                )}
              </Failed>
            </div>
          )}
          <div className={classNames('transition-opacity duration-[120ms]', found.isPlaceholderData && 'opacity-60')}>
            <VirtualRows
              label="Patterns"
              count={rows.length}
              keyOf={(index) => rows[index]?.id ?? index}
              rowPx={isNarrow ? NARROW_ROW_PX : ROW_PX[density]}
              isMeasured={isNarrow || isWrapped}
              scroller={scroller}
              current={current}
            >
              {(index) => {
                const row = rows[index]
                const isOpen = row === openRow
                return row && <PatternRow {...{ row, index, view, isOpen, onOpen }} isCurrent={index === current} />
              }}
            </VirtualRows>
            {answer && answer.otherPatterns > 0 && <Rest answer={answer} />}
          </div>
          {isCurrentAnswer && answer.empty !== null && !isOfDeploy && (
            <NothingFound address={address} why={answer.empty} isNew={isNew} />
          )}
          {isCurrentAnswer && answer.empty !== null && isOfDeploy && (
            <Empty title="No records after this deploy">
              <p>{answer.empty}</p>
              <Button className="mt-4" onClick={compareBefore}>
                Compare with the time before
              </Button>
            </Empty>
          )}
        </div>
      </section>
      {answer && openRow && search.record === undefined && (
        <PatternPanel key={openRow.id} address={address} answer={answer} row={openRow} view={view} onClose={close} />
      )}
    </>
  )
}

const NO_DEPLOYS: readonly DeployRow[] = []

function Rest({ answer: { otherPatterns, otherRecords } }: { answer: PatternsAnswer }) {
  return (
    <p className="border-t border-border px-3 py-2 text-small text-muted tabular-nums">
      And {counted(otherPatterns, 'rarer pattern')} with {counted(otherRecords, 'record')}. Narrow the query or the time
      range to see them.
    </p>
  )
}

function totalWords({ patterns, otherPatterns, records }: PatternsAnswer): string {
  if (records === 0) return counted(0, 'record')
  const present = patterns.filter(({ count }) => count > 0).length
  return `${counted(present + otherPatterns, 'pattern')} in ${counted(records, 'record')}`
}

const iso = (timeMs: number) => new Date(timeMs).toISOString()
