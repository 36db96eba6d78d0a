import type { LogRow } from '@tidemark/wire/reading/row'
import { type CSSProperties, memo } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { columnValue } from '../../record/record-fields.ts'
import { useValueMenu } from '../../record/value-menu.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { formatFull } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import { AnalysisLink } from '../analysis-link.tsx'
import { ColumnResizer } from './column-resizer.tsx'
import { chips, fieldValue, levelLetter, lineWords, wholeChips } from './line-values.tsx'
import { type LineColumn, type LineProps, type LineView, lineTime, timeColumn } from './line-view.tsx'

/** Where little is left beside a panel, it is for the message. */
const SERVICE_WIDTH = 'w-[8ch] @[520px]:w-28'
const COLUMN_WIDTH = 'hidden @[720px]:block'
/** As wide as what is in it, and all together at most half of the line, less where the message would have no room. */
const columnStyle = ({ characters, isSized }: LineColumn, columns: number) => ({
  width: `${characters}ch`,
  maxWidth: isSized ? 'min(60cqw, 100cqw - 440px)' : `calc(min(50cqw, 100cqw - 520px) / ${columns})`,
})

/** What the columns of the lines below are, where somebody chose some. */
export function ColumnNames({ view }: { view: LineView }) {
  if (view.columns.length === 0) return null
  const name = (text: string, className: string, style?: CSSProperties) => (
    <span
      key={text}
      title={text}
      style={style}
      className={classNames('shrink-0 truncate font-mono text-small', className)}
    >
      <span className="font-sans text-tiny">{plainLine(text)}</span>
    </span>
  )
  return (
    <div className="hidden h-6 items-center gap-3 border-b border-border pr-3 pl-[22px] text-tiny text-faint @[720px]:flex">
      <span className={timeColumn(view.hasDates)}>
        <span className="font-sans text-tiny">time</span>
      </span>
      <span className="w-3 shrink-0" />
      {name('service', SERVICE_WIDTH)}
      {view.columns.map((column) => (
        <span key={column.name} className="relative hidden shrink-0 font-mono text-small @[720px]:flex">
          {name(column.name, COLUMN_WIDTH, columnStyle(column, view.columns.length))}
          <ColumnResizer name={column.name} characters={column.characters} />
        </span>
      ))}
      <span className="min-w-0 flex-1 font-mono text-small">
        <span className="font-sans text-tiny">message</span>
      </span>
    </div>
  )
}

export type LogLineProps = LineProps<LogRow> & { isOpen: boolean }

export const LogLine = memo(function LogLine({ row, index, view, isCurrent, isOpen, onOpen }: LogLineProps) {
  const open = () => onOpen(index)
  const { zone, hasDates, isWrapped, columns } = view
  const look = levelLook(row.level)
  const of = { row, openMenu: useValueMenu() }
  return (
    <div
      className={classNames(
        'group flex h-full min-h-6 gap-2 border-l-[3px] @[520px]:gap-3 border-transparent pr-3 font-mono text-small hover:bg-hover',
        // Otherwise the chips of errors, which have a link behind them, would be further left than all others.
        row.analysisId === null && '@[860px]:pr-11',
        isWrapped ? 'items-start py-0.5' : 'items-center',
        isOpen && 'bg-accent-surface',
        isCurrent && '!border-accent',
      )}
    >
      <span
        className={classNames('ml-1 w-[3px] shrink-0 self-stretch', isWrapped && '-my-0.5', look.bar)}
        aria-hidden="true"
      />
      <button
        type="button"
        onClick={open}
        title={formatFull(row.timestamp, zone)}
        className={classNames('text-left text-muted', timeColumn(hasDates))}
      >
        {lineTime(row.timestamp, { view })}
      </button>
      {levelLetter(row.level)}
      {fieldValue(of, { field: 'service', value: row.service }, { className: SERVICE_WIDTH })}
      {columns.length > 0 &&
        columns.map((column) =>
          fieldValue(
            of,
            { field: column.name, value: columnValue(row, column.name) },
            { className: COLUMN_WIDTH, style: columnStyle(column, columns.length) },
          ),
        )}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the time is the button for the keyboard, the line is for the mouse */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <span
        onClick={open}
        className={classNames(
          // With the room before it, so that no click between the two opens nothing.
          '-ml-2 min-w-0 cursor-pointer pl-2 @[520px]:-ml-3 @[520px]:pl-3',
          look.isLoud ? 'flex-auto' : 'flex-1',
          isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
          look.isLoud && look.text,
        )}
      >
        {lineWords(row)}
        {isWrapped && columns.length === 0 && wholeChips(of)}
      </span>
      {!isWrapped && columns.length === 0 && chips(of, { givesWay: look.isLoud === true })}
      {row.analysisId !== null && <AnalysisLink analysisId={row.analysisId} />}
    </div>
  )
})
