import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { Flag } from 'lucide-react'
import { type CSSProperties, memo } from 'react'
import { introducedWords } from '../../marks/introduced-words.ts'
import { levelLook } from '../../marks/level-look.ts'
import { plainBeginning, plainLine } from '../../text/plain-text.ts'
import { lineOf } from '../../text/record-line.ts'
import { shortSha } from '../../text/short-sha.ts'
import { formatClock, formatFull, formatMoment } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Zone } from '../../ui/preferences.ts'
import { AnalysisLink } from '../analysis-link.tsx'
import { chipsOf, columnValue, type FieldValue } from '../record/record-fields.ts'
import { useValueMenu } from '../value-menu.tsx'
import { ColumnResizer } from './column-resizer.tsx'

const CHIPS = 3
/** More would never fit into a line; the panel shows all of it. */
const LINE_CHARACTERS = 1_000

/** `isSized`: somebody chose the width, which may then take more of the line. */
type LineColumn = { name: string; characters: number; isSized: boolean }
export type LineView = { zone: Zone; hasDates: boolean; isWrapped: boolean; columns: readonly LineColumn[] }

/** A phone has room for the service and the message alone. */
const SERVICE_WIDTH = 'w-[8ch] @[520px]:w-28'
const COLUMN_WIDTH = 'hidden @[720px]:block'
/** As wide as what is in it, and all together at most half of the line, less where the message would have no room. */
const columnStyle = ({ characters, isSized }: LineColumn, columns: number) => ({
  width: `${characters}ch`,
  maxWidth: isSized ? 'min(60cqw, 100cqw - 440px)' : `calc(min(50cqw, 100cqw - 520px) / ${columns})`,
})
/**
 * As many characters as `formatMoment` and `formatClock` write. A `ch` is one of them only in the type of the lines, so
 * that is part of it; and it is the least width, never the most, so that no rounding can break or cover a time.
 */
export const timeColumn = (hasDates: boolean) =>
  classNames('shrink-0 font-mono text-small whitespace-nowrap tabular-nums', hasDates ? 'min-w-[19ch]' : 'min-w-[12ch]')

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

type LineProps<Row> = {
  row: Row
  index: number
  view: LineView
  isCurrent: boolean
  /** The same function for every row and every render, or memoized lines would be rendered again. */
  onOpen: (index: number) => void
}

type LogLineProps = LineProps<LogRow> & { isOpen: boolean }

export const LogLine = memo(function LogLine({ row, index, view, isCurrent, isOpen, onOpen }: LogLineProps) {
  const open = () => onOpen(index)
  const { zone, hasDates, isWrapped, columns } = view
  const look = levelLook(row.level)
  return (
    <div
      className={classNames(
        'group flex h-full min-h-6 gap-2 border-l-[3px] @[520px]:gap-3 border-transparent pr-3 font-mono text-small hover:bg-hover',
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
        <LineTime at={row.timestamp} view={view} />
      </button>
      <span title={row.level} className={classNames('w-3 shrink-0 text-center font-semibold', look.text)}>
        <span aria-hidden="true">{look.letter}</span>
        <span className="sr-only">{row.level}</span>
      </span>
      <Value row={row} field="service" value={row.service} className={SERVICE_WIDTH} />
      {columns.map((column) => (
        <Value
          key={column.name}
          row={row}
          field={column.name}
          value={columnValue(row, column.name)}
          className={COLUMN_WIDTH}
          style={columnStyle(column, columns.length)}
        />
      ))}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the time is the button for the keyboard, the line is for the mouse */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: as above */}
      <span
        onClick={open}
        className={classNames(
          // With the room before it, so that the middle of a line on a phone opens it too.
          '-ml-2 min-w-0 cursor-pointer pl-2 @[520px]:-ml-3 @[520px]:pl-3',
          look.isLoud ? 'flex-auto' : 'flex-1',
          isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate',
          look.isLoud && look.text,
        )}
      >
        {plainBeginning(lineOf(row), LINE_CHARACTERS)}
        {isWrapped && columns.length === 0 && <WholeChips row={row} />}
      </span>
      {!isWrapped && columns.length === 0 && <Chips row={row} givesWay={look.isLoud === true} />}
      {row.analysisId === null ? (
        // Otherwise the chips of errors would be further left than all others.
        <span className="hidden size-5 shrink-0 @[860px]:block" />
      ) : (
        <AnalysisLink analysisId={row.analysisId} />
      )}
    </div>
  )
})

function LineTime({ at, view: { zone, hasDates } }: { at: string; view: LineView }) {
  return <time dateTime={at}>{hasDates ? formatMoment(at, zone) : formatClock(at, zone)}</time>
}

/**
 * What may be worth a look, until somebody chose what is. `givesWay`: the whole message is worth more. It then shrinks by so
 * much more that not the smallest part of a pixel is taken from the message, whose end that would cut.
 */
function Chips({ row, givesWay }: { row: LogRow; givesWay: boolean }) {
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
function WholeChips({ row }: { row: LogRow }) {
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

function Chip({ row, value: { field, value }, className }: ChipProps) {
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

function Value({ row, field, value, className, style }: ValueProps) {
  const openMenu = useValueMenu()
  if (value === '') return <span style={style} className={classNames('shrink-0', className)} />
  return (
    <button
      type="button"
      tabIndex={-1}
      style={style}
      onClick={(event) => openMenu(event.currentTarget, { field, value, record: row })}
      className={classNames('shrink-0 truncate text-left text-muted hover:text-text hover:underline', className)}
    >
      {plainLine(value)}
    </button>
  )
}

/** A full-width violet row between the records, at the time of the deploy. */
export const DeployLine = memo(function DeployLine({
  row,
  index,
  view,
  isCurrent,
  onOpen,
  introduced,
}: LineProps<DeployRow> & { introduced: number }) {
  const { zone, hasDates } = view
  const brought = introducedWords(introduced)
  return (
    <button
      type="button"
      data-deploy-row={row.id}
      onClick={() => onOpen(index)}
      title={formatFull(row.timestamp, zone)}
      className={classNames(
        'flex h-full min-h-6 w-full items-center gap-3 border-l-[3px] border-transparent bg-deploy-surface pr-3 text-left text-small text-deploy hover:brightness-[0.97]',
        isCurrent && '!border-accent',
      )}
    >
      <span className="ml-1 w-[3px] shrink-0 self-stretch bg-deploy" aria-hidden="true" />
      <span className={timeColumn(hasDates)}>
        <LineTime at={row.timestamp} view={view} />
      </span>
      <Flag size={13} className="-mx-px shrink-0" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">
        <span className="font-mono font-semibold">{shortSha(row.sha)}</span> deployed to {plainLine(row.environment)}
        {row.ref !== null && ` · ${plainLine(row.ref)}`}
        {row.author !== null && ` · by ${plainLine(row.author)}`}
        {row.message !== null && ` · ${plainLine(row.message.split('\n')[0] ?? '')}`}
      </span>
      {brought !== null && <span className="shrink-0 font-semibold">{brought}</span>}
    </button>
  )
})
