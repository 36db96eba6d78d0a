/** What the records of a search say: one row for each pattern of their messages, counted over all of them. */

import type { PatternsAnswer } from '@tidemark/wire/reading/patterns'
import { counted } from '@tidemark/wire/text/counted'
import { useMemo, useRef } from 'react'
import { useIsBelow } from '../../frame/use-is-below.ts'
import { Button } from '../../ui/button.tsx'
import { dimmed } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { useWidth } from '../../ui/use-width.ts'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { FailedAbove } from '../failed.tsx'
import type { LogsAddress } from '../logs-address.ts'
import { NothingFound } from '../nothing-found.tsx'
import { QueryWarnings } from '../query/query-warnings.tsx'
import { Unreadable } from '../unreadable.tsx'
import { useCurrentRow } from '../use-current-row.ts'
import { PatternColumns, PatternRow, type RowView } from './pattern-row.tsx'
import { PatternsPlaceholder } from './patterns-placeholder.tsx'
import { PatternsToolbar } from './patterns-toolbar.tsx'
import type { PatternsState } from './use-patterns.ts'

const ROW_PX = { compact: 28, roomy: 32 }
/** A line of numbers and one of the pattern; more where that is long. */
const NARROW_ROW_PX = 55
/** Narrower than this the numbers stand above the pattern. */
const NARROW_PX = 520

type SectionProps = {
  address: LogsAddress
  patterns: PatternsState
  /** Nothing was ever sent to the project. */
  isNew: boolean
}

export function PatternsSection({ address, patterns, isNew }: SectionProps) {
  const { filter, isReadable, search, change } = address
  const { comparison, sort, answer, fresh, isOld, error, retry, rows, openRow, samples, deploys, marks } = patterns
  const { zone, density, isWrapped } = usePreferences()
  const [box, width] = useWidth<HTMLDivElement>()
  const isPhone = useIsBelow('sm')
  const isNarrow = width === 0 ? isPhone : width < NARROW_PX
  const scroller = useRef<HTMLDivElement>(null)
  const hasBase = answer !== undefined && answer.baseWindow !== null
  const baseRecords = answer?.baseRecords ?? 0
  const view = useMemo<RowView>(
    () => ({ zone, hasBase, baseRecords, isWrapped, isNarrow, deploys: marks }),
    [zone, hasBase, baseRecords, isWrapped, isNarrow, marks],
  )

  const onOpen = (index: number) => {
    const row = rows[index]
    if (!row) return
    const isOpen = row.id === search.pattern && search.record === undefined
    change({ pattern: isOpen ? undefined : row.id, record: undefined }, { replace: search.pattern !== undefined })
  }
  const onMove = (index: number) => {
    const row = rows[index]
    if (search.pattern !== undefined && row) change({ pattern: row.id, record: undefined }, { replace: true })
  }
  const of = [filter, search.compare, sort]
  const { current, open } = useCurrentRow({ count: rows.length, of, scroller, onOpen, onMove })

  const compareBefore = () => change({ compare: undefined, pattern: undefined })
  const isOfDeploy = comparison.kind === 'deploy'
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <PatternsToolbar address={address} comparison={comparison} sort={sort} deploys={deploys} answer={fresh} />
      <QueryWarnings address={address} warnings={fresh?.warnings} />
      {rows.length > 0 && !isNarrow && <PatternColumns view={view} />}
      <div
        ref={scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
      >
        {!isReadable && <Unreadable address={address} isLeft={rows.length > 0} />}
        {isReadable && !answer && !error && (
          <PatternsPlaceholder isNarrow={isNarrow} hasBase={comparison.kind !== 'off'} density={density} />
        )}
        {isReadable && error && (
          <FailedAbove error={error} onRetry={retry} isLeft={rows.length > 0}>
            {isOfDeploy && (
              <Button className="mt-2" onClick={compareBefore}>
                Compare with the time before
              </Button>
            )}
          </FailedAbove>
        )}
        <div className={dimmed(isOld)}>
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
              const isAtKeys = index === current
              const sample = samples.get(row?.sampleId ?? '')
              return row && <PatternRow {...{ row, sample, index, view, isOpen }} isCurrent={isAtKeys} onOpen={open} />
            }}
          </VirtualRows>
          {answer && answer.otherPatterns > 0 && <Rest answer={answer} />}
        </div>
        {fresh && fresh.empty !== null && !isOfDeploy && (
          <NothingFound address={address} why={fresh.empty} isNew={isNew} />
        )}
        {fresh && fresh.empty !== null && isOfDeploy && (
          <Empty title="No records after this deploy">
            <p>{fresh.empty}</p>
            <Button className="mt-4" onClick={compareBefore}>
              Compare with the time before
            </Button>
          </Empty>
        )}
      </div>
    </div>
  )
}

function Rest({ answer: { otherPatterns, otherRecords } }: { answer: PatternsAnswer }) {
  return (
    <p className="border-t border-border px-3 py-2 text-small text-muted tabular-nums">
      And {counted(otherPatterns, 'rarer pattern')} with {counted(otherRecords, 'record')}. Narrow the query or the time
      range to see them.
    </p>
  )
}
