/**
 * For a dialog that begins with a field: what is typed from the moment it is asked for is its text, also while its file
 * is loading and nothing has the focus yet.
 */
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef } from 'react'

/** Gives what was typed so far, once; from then on the keys go where the focus is. */
export type TakeHeld = () => string

export function useHeldKeys(isHeld: boolean, onEscape: () => void): TakeHeld {
  const text = useRef('')
  const stop = useRef<() => void>(undefined)
  const leave = useRef(onEscape)
  useEffect(() => {
    leave.current = onEscape
  })
  // Before the next key: an effect after the drawing would miss it.
  useLayoutEffect(() => {
    if (!isHeld) return
    const onKeyDown = (event: KeyboardEvent) => hold(event, text, leave)
    // Before everything on the page, also the field that has the focus until then.
    addEventListener('keydown', onKeyDown, true)
    stop.current = () => removeEventListener('keydown', onKeyDown, true)
    return () => {
      stop.current?.()
      text.current = ''
    }
  }, [isHeld])
  return useCallback(() => {
    stop.current?.()
    const held = text.current
    text.current = ''
    return held
  }, [])
}

function hold(event: KeyboardEvent, text: RefObject<string>, leave: RefObject<() => void>): void {
  // Combinations keep what they do; the one that opened the dialog closes it.
  if (event.ctrlKey || event.metaKey || event.altKey) return
  text.current = heldText(text.current, event.key)
  event.preventDefault()
  event.stopPropagation()
  if (event.key === 'Escape') leave.current()
}

/** A key that writes has a name of one character. */
export function heldText(before: string, key: string): string {
  const characters = [...before]
  if (key === 'Backspace') return characters.slice(0, -1).join('')
  return [...key].length === 1 ? before + key : before
}
