/**
 * Keyboard shortcuts of the page: single keys, `mod+k`, and two keys one after the other (`g l`). Silent while somebody
 * types into a field or a dialog is open or loading, except for combinations with a modifier. A focused button or box takes Enter
 * and Space for itself.
 */
import { useEffect, useRef } from 'react'
import { AWAITED } from './skeleton.tsx'

type Shortcuts = Record<string, (event: KeyboardEvent) => void>

const SEQUENCE_MS = 900
/** A box that is ticked has the focus from then on, and what was ticked waits for a key. */
const TYPED_INTO = 'input:not([type="checkbox"]), textarea, [contenteditable="true"]'
/** What follows it belongs to it, also for a page that has a shortcut with the second key alone. */
const SEQUENCE_START = 'g'

export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts)
  useEffect(() => {
    current.current = shortcuts
  })
  useEffect(() => {
    let first = ''
    let firstAt = 0
    const onKeyDown = (event: KeyboardEvent) => {
      const key = keyOf(event)
      if (key === undefined || event.defaultPrevented) return
      if (!key.startsWith('mod+') && isBusyElsewhere(event.target)) return
      if ((key === 'enter' || key === ' ') && isControl(event.target)) return
      const isSecond = first === SEQUENCE_START && event.timeStamp - firstAt < SEQUENCE_MS
      const run = current.current[isSecond ? `${first} ${key}` : key]
      first = key
      firstAt = event.timeStamp
      if (!run) return
      first = ''
      event.preventDefault()
      run(event)
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [])
}

/** Undefined for keys that are part of a combination of the browser or the system. */
function keyOf({ key, metaKey, ctrlKey, altKey }: KeyboardEvent): string | undefined {
  if (altKey) return undefined
  const name = key.toLowerCase()
  return metaKey || ctrlKey ? `mod+${name}` : name
}

function isControl(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a[href], summary, [role="tab"], input') !== null
}

function isBusyElsewhere(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target.closest(`${TYPED_INTO}, select`)) return true
  return document.querySelector(`[role="dialog"], [role="menu"], [${AWAITED}]`) !== null
}
