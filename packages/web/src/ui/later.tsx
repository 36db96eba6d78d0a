/**
 * A page that comes with what it shows first, rows above all, shows just that first. What stands around it is drawn
 * once that has been seen, a moment later and before a hand could reach it. Pages that are opened after it are drawn
 * whole.
 */
import { type ReactNode, useSyncExternalStore } from 'react'

/** A page in the background, which nobody sees, is drawn no frame. */
const UNSEEN_MS = 500

let isAwaited = false
const waiting = new Set<() => void>()

/** Called just before the page is drawn for the first time. Resolves when the rest has its turn, and has been drawn. */
export function untilFirstSight(): Promise<void> {
  isAwaited = true
  return new Promise((resolve) => {
    const end = () => {
      if (!isAwaited) return
      isAwaited = false
      for (const tell of waiting) tell()
      resolve()
    }
    // A frame that is asked for comes before what it shows is laid out and painted, a timer set in it afterwards.
    requestAnimationFrame(() => setTimeout(end))
    setTimeout(end, UNSEEN_MS)
  })
}

type LaterProps = {
  /** As large as what comes, where nothing around it is. */
  instead?: ReactNode
  children?: ReactNode
}

export function Later({ instead, children }: LaterProps) {
  return useSyncExternalStore(subscribe, hasTurn, hasTurn) ? children : instead
}

function subscribe(tell: () => void): () => void {
  waiting.add(tell)
  return () => waiting.delete(tell)
}

const hasTurn = (): boolean => !isAwaited
