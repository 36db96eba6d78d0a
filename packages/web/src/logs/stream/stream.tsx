/** Records with the deploys between them. */
import { type RefObject, useCallback } from 'react'
import { LINE_PX, type Preferences, TWO_LINES_PX } from '../../ui/preferences.ts'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { dayBegun, dayOf } from './days.ts'
import { DeployLine } from './deploy-line.tsx'
import type { LineView } from './line-view.tsx'
import { LogLine } from './log-line.tsx'
import type { StreamRow } from './merge-rows.ts'
import { NarrowLogLine } from './narrow-line.tsx'

/** The next page is fetched this many rows before the end. */
const ASK_AHEAD = 60

type StreamProps = {
  rows: readonly StreamRow[]
  /** By the id of a deploy, once it is known. */
  known: ReadonlyMap<string, { introduced: number }> | undefined
  view: LineView
  density: Preferences['density']
  scroller: RefObject<HTMLDivElement | null>
  current: number
  openId: string | undefined
  onOpen: (index: number) => void
  onNearEnd: () => void
  /** The day of the first row that is seen. */
  onDay: (day: string | undefined) => void
}

export function Stream(props: StreamProps) {
  const { rows, known, view, density, scroller, current, openId, onOpen, onNearEnd, onDay } = props
  const { zone, isNarrow } = view
  const Line = isNarrow ? NarrowLogLine : LogLine
  const onLast = useCallback(
    (last: number) => {
      if (last >= rows.length - ASK_AHEAD) onNearEnd()
    },
    [rows.length, onNearEnd],
  )
  const onFirst = useCallback((first: number) => onDay(dayOf(rows, first, zone)), [rows, zone, onDay])
  return (
    <VirtualRows
      label="Records"
      count={rows.length}
      keyOf={(index) => rows[index]?.id ?? index}
      rowPx={(isNarrow ? TWO_LINES_PX : LINE_PX)[density]}
      isMeasured={view.isWrapped}
      shape={view.columns}
      scroller={scroller}
      current={current}
      onFirst={onFirst}
      onLast={onLast}
    >
      {(index) => {
        const row = rows[index]
        if (!row) return null
        const day = isNarrow ? dayBegun(rows, index, zone) : undefined
        const line = { index, view, day, isCurrent: index === current, onOpen }
        if (row.kind === 'deploy')
          return <DeployLine row={row} introduced={known?.get(row.id)?.introduced ?? 0} {...line} />
        return <Line row={row} isOpen={row.id === openId} {...line} />
      }}
    </VirtualRows>
  )
}
