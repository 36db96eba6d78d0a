/** The line of a record on a phone: when, how grave and where from, and below it the message over the whole width. */
import { memo, type ReactElement } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { columnValue } from '../../record/record-fields.ts'
import { useValueMenu } from '../../record/value-menu.tsx'
import { formatFull } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { AnalysisLink } from '../analysis-link.tsx'
import { chip, fieldValue, type LineValues, levelLetter, lineWords, wholeChips } from './line-values.tsx'
import { type LineView, lineTime, timeColumn } from './line-view.tsx'
import type { LogLineProps } from './log-line.tsx'

export const NarrowLogLine = memo(function NarrowLogLine(props: LogLineProps) {
  const { row, index, view, day, isCurrent, isOpen, onOpen } = props
  const { zone, isWrapped, columns } = view
  const look = levelLook(row.level)
  const of = { row, openMenu: useValueMenu() }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the time is the button for the keyboard, the whole of it is for a finger
    // biome-ignore lint/a11y/noStaticElementInteractions: as above
    <div
      onClick={() => onOpen(index)}
      className={classNames(
        'flex h-full min-h-11 cursor-pointer gap-2 border-b border-l-[3px] border-b-border border-l-transparent pr-3 font-mono text-small hover:bg-hover',
        isOpen && 'bg-accent-surface',
        isCurrent && '!border-l-accent',
      )}
    >
      <span className={classNames('ml-1 w-[3px] shrink-0 self-stretch', look.bar)} aria-hidden="true" />
      <span className="flex min-w-0 flex-1 flex-col">
        {/* Half of the line: so its middle is above the message, which opens the record, and not on a value. */}
        <span className="flex h-[22px] shrink-0 items-center gap-2">
          <button
            type="button"
            title={formatFull(row.timestamp, zone)}
            className={classNames('h-full text-left text-muted', timeColumn(false))}
          >
            {lineTime(row.timestamp, { view, day })}
          </button>
          {levelLetter(row.level)}
          {fieldValue(of, { field: 'service', value: row.service }, { className: 'h-full min-w-0 !shrink' })}
          {columns.length > 0 && chosen(of, columns)}
          {row.analysisId !== null && <AnalysisLink analysisId={row.analysisId} isLarge />}
        </span>
        <span className="flex min-w-0 flex-1 items-center">
          <span
            className={classNames(
              'min-w-0 flex-1',
              isWrapped ? 'pb-1 whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
              look.isLoud && look.text,
            )}
          >
            {lineWords(row)}
            {isWrapped && columns.length === 0 && wholeChips(of)}
          </span>
        </span>
      </span>
    </div>
  )
})

/** With their names, as there is nothing above them. Those that have no room go to a second line that nobody sees. */
function chosen(of: LineValues, columns: LineView['columns']): ReactElement {
  const values = columns.map(({ name }) => ({ field: name, value: columnValue(of.row, name) }))
  return (
    <span className="-ml-1 flex h-full min-w-0 flex-1 flex-wrap overflow-hidden">
      {values.filter(({ value }) => value !== '').map((one) => chip(of, one, 'h-full max-w-full shrink-0 truncate'))}
    </span>
  )
}
