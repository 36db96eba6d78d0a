/** The rows, drawn only where they are seen. */
import { useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, useCallback, useEffect, useRef } from 'react'
import type { Preferences } from '../../ui/preferences.ts'
import { DeployLine, type LineView, LogLine } from './log-line.tsx'
import type { StreamRow } from './merge-rows.ts'

const ROW_PX: Record<Preferences['density'], number> = { compact: 24, roomy: 28 }
/** A fast wheel moves by about a screen in one frame: this many rows are kept ready above and below. */
const OVERSCAN = 36
/** The next page is fetched this many rows before the end. */
const ASK_AHEAD = 60

type StreamProps = {
  rows: readonly StreamRow[]
  view: LineView
  density: Preferences['density']
  scroller: RefObject<HTMLDivElement | null>
  current: number
  openId: string | undefined
  onOpen: (row: StreamRow, index: number) => void
  onNearEnd: () => void
}

export function Stream({ rows, view, density, scroller, current, openId, onOpen, onNearEnd }: StreamProps) {
  const rowPx = ROW_PX[density]
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: OVERSCAN,
    // By default a timer notices the end of a scroll. In a slow frame it fires before the scroll event itself,
    // considers it handled, and the rows are drawn a frame too late.
    useScrollendEvent: true,
  })
  const opener = useRef(onOpen)
  useEffect(() => {
    opener.current = onOpen
  })
  const open = useCallback((row: StreamRow, index: number) => opener.current(row, index), [])
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0

  useEffect(() => {
    if (last >= rows.length - ASK_AHEAD) onNearEnd()
  }, [last, rows.length, onNearEnd])
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [current, virtualizer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured is wrong as soon as one of these changes
  useEffect(() => virtualizer.measure(), [density, view.isWrapped, view.columns, virtualizer])

  return (
    <ul aria-label="Records" className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {items.map((item) => {
        const row = rows[item.index]
        if (!row) return null
        return (
          <li
            key={item.key}
            data-index={item.index}
            aria-current={item.index === current || undefined}
            ref={view.isWrapped ? virtualizer.measureElement : undefined}
            className="absolute top-0 left-0 w-full"
            style={{
              transform: `translateY(${item.start}px)`,
              ...(view.isWrapped ? {} : { height: item.size }),
            }}
          >
            {row.kind === 'deploy' ? (
              <DeployLine row={row} index={item.index} view={view} isCurrent={item.index === current} onOpen={open} />
            ) : (
              <LogLine
                row={row}
                index={item.index}
                view={view}
                isCurrent={item.index === current}
                isOpen={row.id === openId}
                onOpen={open}
              />
            )}
          </li>
        )
      })}
    </ul>
  )
}
