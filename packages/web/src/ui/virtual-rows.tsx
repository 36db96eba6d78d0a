/** A list of any length, drawn only where it is seen. */
import { elementScroll, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual'
import { type ReactNode, type RefObject, useDeferredValue, useEffect } from 'react'

/** A fast wheel moves by about a screen in one frame: this many rows are kept ready above and below. */
const OVERSCAN = 36
/** No list begins higher in the window: the header, what is asked, the histogram and the tabs are above each. */
const ABOVE_PX = 240

type VirtualRowsProps = {
  label: string
  count: number
  keyOf: (index: number) => string | number
  rowPx: number
  /** Rows as high as their text, rather than all of one height. */
  isMeasured: boolean
  /** Changes whenever rows become higher or lower than they were. */
  shape?: unknown
  scroller: RefObject<HTMLElement | null>
  /** Kept in sight; none is current when it is negative. */
  current: number
  /** The first row that is seen, if only in part. */
  onFirst?: (index: number) => void
  /** The last row that is drawn. */
  onLast?: (index: number) => void
  children: (index: number) => ReactNode
}

type Rows = Virtualizer<HTMLElement, Element>
type Size = { width: number; height: number }

/**
 * What the library would do when a list is first shown, reading its size and scrolling it to its beginning, makes the
 * browser lay out the page once without the rows and once more with them. So at first there are as many rows as the
 * window has room for, and the size comes by the observer, when the page with its rows is laid out.
 */
function observeSize({ scrollElement }: Rows, tell: (size: Size) => void) {
  if (!scrollElement) return undefined
  const observer = new ResizeObserver(() =>
    tell({ width: scrollElement.clientWidth, height: scrollElement.clientHeight }),
  )
  observer.observe(scrollElement)
  return () => observer.disconnect()
}

const shownBefore = new WeakSet<Element>()

function scrollRows(offset: number, how: Parameters<typeof elementScroll>[1], rows: Rows): void {
  const { scrollElement } = rows
  const isAtBeginning = offset === 0 && scrollElement !== null && !shownBefore.has(scrollElement)
  if (scrollElement) shownBefore.add(scrollElement)
  if (!isAtBeginning) elementScroll(offset, how, rows)
}

export function VirtualRows(props: VirtualRowsProps) {
  const { label, count, keyOf, rowPx, isMeasured, shape, scroller, current, onFirst, onLast, children } = props
  // The first rows are only what can be seen: what is kept ready comes in a second pass, which holds nothing up.
  const overscan = useDeferredValue(count === 0 ? 0 : OVERSCAN, 0)
  const virtualizer = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    getItemKey: keyOf,
    overscan,
    initialRect: { width: innerWidth, height: innerHeight - ABOVE_PX },
    observeElementRect: observeSize,
    scrollToFn: scrollRows,
    // By default a timer notices the end of a scroll. In a slow frame it fires before the scroll event itself,
    // considers it handled, and the rows are drawn a frame too late.
    useScrollendEvent: true,
  })
  const items = virtualizer.getVirtualItems()
  const first = virtualizer.range?.startIndex ?? 0
  const last = items.at(-1)?.index ?? 0

  useEffect(() => onFirst?.(first), [first, onFirst])
  useEffect(() => onLast?.(last), [last, onLast])
  useEffect(() => {
    if (current >= 0) virtualizer.scrollToIndex(current, { align: 'auto' })
  }, [current, virtualizer])
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was measured is wrong as soon as one of these changes
  useEffect(() => {
    virtualizer.measure()
    // Rows that are there and keep their size would not be measured again by themselves.
    if (isMeasured) for (const row of virtualizer.elementsCache.values()) virtualizer.measureElement(row)
  }, [rowPx, isMeasured, shape, virtualizer])

  return (
    <ul aria-label={label} className="relative" style={{ height: virtualizer.getTotalSize() }}>
      {items.map((item) => (
        <li
          key={item.key}
          data-index={item.index}
          aria-current={item.index === current || undefined}
          ref={isMeasured ? virtualizer.measureElement : undefined}
          className="absolute top-0 left-0 w-full"
          style={{
            transform: `translateY(${item.start}px)`,
            ...(isMeasured ? {} : { height: item.size }),
          }}
        >
          {children(item.index)}
        </li>
      ))}
    </ul>
  )
}
