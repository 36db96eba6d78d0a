/**
 * The values of a record in its line: each is a handle. What a line is made of is told by functions and not by components:
 * a page that has just been opened draws some hundred of them before anything is seen, and each component would take as
 * long as one more element.
 */
import type { LogRow } from '@tidemark/wire/reading/row'
import type { CSSProperties, ReactElement } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { chipsOf, type FieldValue } from '../../record/record-fields.ts'
import type { OpenValueMenu } from '../../record/value-menu.tsx'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { lineOf } from '../../text/record-line.ts'
import { classNames } from '../../ui/class-names.ts'

const CHIPS = 3
/** More would never fit into a line; the panel shows all of it. */
const LINE_CHARACTERS = 1_000

/** `openMenu`: that of the values, for each of this record. */
export type LineValues = { row: LogRow; openMenu: OpenValueMenu }

export const lineWords = (row: LogRow) => plainBeginning(lineOf(row), LINE_CHARACTERS)

export function levelLetter(level: string): ReactElement {
  const { letter, text } = levelLook(level)
  return (
    <span
      role="img"
      aria-label={level}
      title={level}
      className={classNames('w-3 shrink-0 text-center font-semibold', text)}
    >
      {letter}
    </span>
  )
}

/**
 * What may be worth a look, until somebody chose what is. `givesWay`: the whole message is worth more. It then shrinks by so
 * much more that not the smallest part of a pixel is taken from the message, whose end that would cut.
 */
export function chips(of: LineValues, { givesWay }: { givesWay: boolean }): ReactElement | null {
  const shown = chipsOf(of.row, CHIPS)
  if (shown.length === 0) return null
  return (
    // Those with no room, the least telling, go to a second line that nobody sees rather than be cut. Without something
    // before it, the first of them would stay in the first line, and be cut there.
    <span
      className={classNames(
        'hidden h-4 max-w-[36%] flex-wrap justify-end gap-1 overflow-hidden before:-mr-1 @[860px]:flex',
        givesWay ? "min-w-0 shrink-[9999999] before:h-4 before:content-['']" : 'shrink-0',
      )}
    >
      {shown.map((one) => chip(of, one, 'h-4 max-w-44 shrink-0 truncate'))}
    </span>
  )
}

/** Below a message that wraps there is room for each of them. */
export function wholeChips(of: LineValues): ReactElement | null {
  const shown = chipsOf(of.row, CHIPS)
  if (shown.length === 0) return null
  return (
    <span className="-ml-1 flex flex-wrap gap-x-1 whitespace-normal">
      {shown.map((one) => chip(of, one, '[overflow-wrap:anywhere]'))}
    </span>
  )
}

export function chip({ row, openMenu }: LineValues, { field, value }: FieldValue, className: string): ReactElement {
  return (
    <button
      key={field}
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
      {`${plainLine(field)}=${plainLine(value)}`}
    </button>
  )
}

export function fieldValue(
  { row, openMenu }: LineValues,
  { field, value }: FieldValue,
  { className, style }: { className: string; style?: CSSProperties },
): ReactElement {
  if (value === '') return <span key={field} style={style} className={classNames('shrink-0', className)} />
  return (
    <button
      key={field}
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
