/** The values of a record in its line: each is a handle. */
import type { LogRow } from '@tidemark/wire/reading/row'
import type { CSSProperties } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { lineOf } from '../../text/record-line.ts'
import { classNames } from '../../ui/class-names.ts'
import { chipsOf, type FieldValue } from '../record/record-fields.ts'
import { useValueMenu } from '../value-menu.tsx'

const CHIPS = 3
/** More would never fit into a line; the panel shows all of it. */
const LINE_CHARACTERS = 1_000

export const lineWords = (row: LogRow) => plainBeginning(lineOf(row), LINE_CHARACTERS)

export function LevelLetter({ level }: { level: string }) {
  const { letter, text } = levelLook(level)
  return (
    <span title={level} className={classNames('w-3 shrink-0 text-center font-semibold', text)}>
      <span aria-hidden="true">{letter}</span>
      <span className="sr-only">{level}</span>
    </span>
  )
}

/**
 * What may be worth a look, until somebody chose what is. `givesWay`: the whole message is worth more. It then shrinks by so
 * much more that not the smallest part of a pixel is taken from the message, whose end that would cut.
 */
export function Chips({ row, givesWay }: { row: LogRow; givesWay: boolean }) {
  return (
    // Those with no room, the least telling, go to a second line that nobody sees rather than be cut. Without something
    // before it, the first of them would stay in the first line, and be cut there.
    <span
      className={classNames(
        'hidden h-4 max-w-[36%] flex-wrap justify-end gap-1 overflow-hidden before:-mr-1 @[860px]:flex',
        givesWay ? "min-w-0 shrink-[9999999] before:h-4 before:content-['']" : 'shrink-0',
      )}
    >
      {chipsOf(row, CHIPS).map((one) => (
        <Chip key={one.field} row={row} value={one} className="h-4 max-w-44 shrink-0 truncate" />
      ))}
    </span>
  )
}

/** Below a message that wraps there is room for each of them. */
export function WholeChips({ row }: { row: LogRow }) {
  const chips = chipsOf(row, CHIPS)
  if (chips.length === 0) return null
  return (
    <span className="-ml-1 flex flex-wrap gap-x-1 whitespace-normal">
      {chips.map((one) => (
        <Chip key={one.field} row={row} value={one} className="[overflow-wrap:anywhere]" />
      ))}
    </span>
  )
}

type ChipProps = { row: LogRow; value: FieldValue; className: string }

export function Chip({ row, value: { field, value }, className }: ChipProps) {
  const openMenu = useValueMenu()
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={(event) => {
        // Within the message, whose click opens the record.
        event.stopPropagation()
        openMenu(event.currentTarget, { field, value, record: row })
      }}
      className={classNames(
        'rounded-[4px] px-1 text-left text-tiny text-faint hover:bg-strong-border hover:text-text',
        className,
      )}
    >
      {plainLine(field)}={plainLine(value)}
    </button>
  )
}

type ValueProps = { row: LogRow; field: string; value: string; className: string; style?: CSSProperties }

export function Value({ row, field, value, className, style }: ValueProps) {
  const openMenu = useValueMenu()
  if (value === '') return <span style={style} className={classNames('shrink-0', className)} />
  return (
    <button
      type="button"
      tabIndex={-1}
      style={style}
      onClick={(event) => {
        // On a phone within the line, whose click opens the record.
        event.stopPropagation()
        openMenu(event.currentTarget, { field, value, record: row })
      }}
      className={classNames('shrink-0 truncate text-left text-muted hover:text-text hover:underline', className)}
    >
      {plainLine(value)}
    </button>
  )
}
