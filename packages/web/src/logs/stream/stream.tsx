/** Records with the deploys between them. */
import { type RefObject, useCallback } from 'react'
import { LINE_PX, type Preferences } from '../../ui/preferences.ts'
import { VirtualRows } from '../../ui/virtual-rows.tsx'
import { DeployLine, type LineView, LogLine } from './log-line.tsx'
import type { StreamRow } from './merge-rows.ts'

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
}

export function Stream({ rows, known, view, density, scroller, current, openId, onOpen, onNearEnd }: StreamProps) {
  const onLast = useCallback(
    (last: number) => {
      if (last >= rows.length - ASK_AHEAD) onNearEnd()
    },
    [rows.length, onNearEnd],
  )
  return (
    <VirtualRows
      label="Records"
      count={rows.length}
      keyOf={(index) => rows[index]?.id ?? index}
      rowPx={LINE_PX[density]}
      isMeasured={view.isWrapped}
      shape={view.columns}
      scroller={scroller}
      current={current}
      onLast={onLast}
    >
      {(index) => {
        const row = rows[index]
        if (!row) return null
        const line = { index, view, isCurrent: index === current, onOpen }
        if (row.kind === 'deploy')
          return <DeployLine row={row} introduced={known?.get(row.id)?.introduced ?? 0} {...line} />
        return <LogLine row={row} isOpen={row.id === openId} {...line} />
      }}
    </VirtualRows>
  )
}
