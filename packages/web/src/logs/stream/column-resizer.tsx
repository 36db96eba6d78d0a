import { type KeyboardEvent, type PointerEvent, useRef } from 'react'
import { plainLine } from '../../text/plain-text.ts'
import { changePreferences, usePreferences } from '../../ui/preferences.ts'
import { LEAST_CHARACTERS, MOST_CHARACTERS, resized } from './column-widths.ts'

/** Of the type of the lines: 12 px, of which a letter takes six tenths. */
const CHARACTER_PX = 7.2
const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, PageDown: -8, PageUp: 8 }

/** The edge of a column: drag it, or move it with the arrows; a double click or Delete lets it fit its values again. */
export function ColumnResizer({ name, characters }: { name: string; characters: number }) {
  const { columnWidths } = usePreferences()
  const start = useRef<{ x: number; characters: number }>(undefined)
  const set = (next: number | undefined) => changePreferences({ columnWidths: resized(columnWidths, name, next) })
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step !== undefined) set(characters + step)
    else if (event.key === 'Delete' || event.key === 'Backspace') set(undefined)
    else return
    event.preventDefault()
  }
  const onMove = (event: PointerEvent) => {
    if (start.current) set(start.current.characters + Math.round((event.clientX - start.current.x) / CHARACTER_PX))
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule between two parts has no value that could be changed
    <span
      role="separator"
      tabIndex={0}
      aria-orientation="vertical"
      aria-label={`Width of ${plainLine(name)}`}
      aria-valuenow={characters}
      aria-valuemin={LEAST_CHARACTERS}
      aria-valuemax={MOST_CHARACTERS}
      title="Drag to resize; double-click to fit"
      onKeyDown={onKeyDown}
      onDoubleClick={() => set(undefined)}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { x: event.clientX, characters }
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        start.current = undefined
      }}
      onPointerCancel={() => {
        start.current = undefined
      }}
      className="absolute inset-y-0 -right-2 z-[1] w-2 cursor-col-resize touch-none before:absolute before:inset-y-1 before:left-[3px] before:w-px before:bg-strong-border hover:before:bg-accent"
    />
  )
}
