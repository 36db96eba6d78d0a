/** The row of a list that the keyboard is on: `j` and `k` move it, Enter opens it, and so does a click. */
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useShortcuts } from '../ui/shortcuts.ts'

type Options = {
  count: number
  /** What the list shows: another list has another first row. */
  of: readonly unknown[]
  scroller: RefObject<HTMLElement | null>
  isShown?: boolean
  onOpen: (index: number) => void
  onMove: (index: number) => void
}

export function useCurrentRow({ count, of, scroller, isShown = true, onOpen, onMove }: Options) {
  const [current, setCurrent] = useState(-1)
  const opener = useRef(onOpen)
  useEffect(() => {
    opener.current = onOpen
  })
  // The same function for every render: rows are drawn again only when they change.
  const open = useCallback((index: number) => {
    setCurrent(index)
    opener.current(index)
  }, [])
  // Otherwise the button that was clicked last would take the next Enter or Space.
  const focus = useCallback(() => scroller.current?.focus({ preventScroll: true }), [scroller])
  const move = (step: number) => {
    const next = Math.min(Math.max(current + step, 0), count - 1)
    setCurrent(next)
    focus()
    onMove(next)
  }
  useShortcuts(
    isShown
      ? {
          j: () => move(1),
          k: () => move(-1),
          arrowdown: () => move(1),
          arrowup: () => move(-1),
          ...(current >= 0 ? { enter: () => open(current) } : {}),
        }
      : {},
  )
  const list = JSON.stringify(of)
  const shown = useRef(list)
  useEffect(() => {
    // Not at first: a scroll makes the browser lay out the whole page, and it is at its beginning already.
    if (shown.current === list) return
    shown.current = list
    setCurrent(-1)
    scroller.current?.scrollTo({ top: 0 })
  }, [list, scroller])
  return { current, open, focus }
}
