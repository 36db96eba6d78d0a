import type { LogPattern } from '@tidemark/wire/reading/patterns'
import type { LogRow } from '@tidemark/wire/reading/row'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { memo } from 'react'
import { levelLook } from '../../marks/level-look.ts'
import { plainLine } from '../../text/plain-text.ts'
import { formatMoment } from '../../time/format-time.ts'
import { classNames } from '../../ui/class-names.ts'
import type { Zone } from '../../ui/preferences.ts'
import { Sparkline } from '../../ui/sparkline.tsx'
import { AnalysisLink } from '../analysis-link.tsx'
import { PatternStateMark } from './pattern-state.tsx'
import { PatternText } from './pattern-text.tsx'
import { STATE_RULE, stateWords } from './state-words.ts'

/** How every row is drawn. */
export type RowView = {
  zone: Zone
  hasBase: boolean
  baseRecords: number
  isWrapped: boolean
  /** Numbers above the pattern rather than before it. */
  isNarrow: boolean
  /** Where deploys were in the window, from 0 to 1. */
  deploys: readonly number[]
}

/** Of the levels; no more have room. */
const LETTERS = 3

/** The same columns for the head, the rows and their placeholders; those that help least go first. */
export const COLUMN = {
  state: 'w-[70px] shrink-0',
  count: 'w-[74px] shrink-0 text-right tabular-nums',
  before: 'hidden w-[74px] shrink-0 text-right tabular-nums @[840px]:block',
  share: 'hidden w-[112px] shrink-0 @[960px]:flex',
  trend: 'hidden w-24 shrink-0 @[700px]:block',
  level: 'w-6 shrink-0',
  service: 'hidden w-24 shrink-0 truncate @[600px]:block',
} as const

export function PatternColumns({ view: { hasBase } }: { view: RowView }) {
  return (
    <div
      aria-hidden="true"
      className="flex h-6 shrink-0 items-center gap-3 border-b border-border pr-9 pl-[22px] text-tiny text-faint"
    >
      {hasBase && (
        <span className={COLUMN.state} title={STATE_RULE}>
          State
        </span>
      )}
      <span className={COLUMN.count}>Records</span>
      {hasBase && <span className={COLUMN.before}>Before</span>}
      <span className={classNames(COLUMN.share, hasBase && 'justify-end')}>
        {hasBase ? 'Share before → now' : 'Share'}
      </span>
      <span className={COLUMN.trend}>Trend</span>
      <span className={COLUMN.level} />
      <span className={COLUMN.service}>Service</span>
      <span className="min-w-0 flex-1">Pattern</span>
    </div>
  )
}

type RowProps = {
  row: LogPattern
  /** Its newest record, where it is one of errors. */
  sample: LogRow | undefined
  index: number
  view: RowView
  isCurrent: boolean
  isOpen: boolean
  /** The same function for every row and every render, or memoized rows would be rendered again. */
  onOpen: (index: number) => void
}

export const PatternRow = memo(function PatternRow({ row, sample, index, view, isCurrent, isOpen, onOpen }: RowProps) {
  const Layout = view.isNarrow ? NarrowRow : WideRow
  const analysisId = sample?.analysisId ?? null
  return (
    <div className={classNames('relative flex h-full min-h-7', analysisId !== null && 'group')}>
      <button
        type="button"
        aria-pressed={isOpen}
        onClick={() => onOpen(index)}
        title={seen(row, view)}
        className={classNames(
          'flex w-full gap-3 border-l-[3px] border-transparent text-left font-mono text-small -outline-offset-2 hover:bg-hover',
          view.isNarrow ? 'border-b border-b-border pr-3' : 'pr-9',
          isOpen && 'bg-accent-surface',
          isCurrent && '!border-l-accent',
        )}
      >
        <span
          className={classNames('ml-1 w-[3px] shrink-0 self-stretch', levelLook(row.levels[0] ?? '').bar)}
          aria-hidden="true"
        />
        <Layout row={row} errorType={sample?.error?.type ?? ''} view={view} />
      </button>
      {analysisId !== null && (
        <span className={classNames('absolute right-3', view.isNarrow ? 'top-0.5' : 'top-1')}>
          <AnalysisLink analysisId={analysisId} isLarge={view.isNarrow} />
        </span>
      )}
    </div>
  )
})

type TrendProps = { row: LogPattern; view: RowView }
type LayoutProps = TrendProps & { errorType: string }

function WideRow({ row, errorType, view }: LayoutProps) {
  const { hasBase, baseRecords, isWrapped } = view
  return (
    <span className={classNames('flex min-w-0 flex-1 gap-3', isWrapped ? 'items-start py-1' : 'items-center')}>
      {hasBase && (
        <span className={COLUMN.state}>
          <PatternStateMark state={row.state} isRow />
        </span>
      )}
      <span className={COLUMN.count}>{withCommas(row.count)}</span>
      {hasBase && (
        <span className={classNames('text-muted', COLUMN.before)}>
          <span className="sr-only">before: </span>
          {row.baseCount === null ? null : withCommas(row.baseCount)}
        </span>
      )}
      {hasBase ? <Shares row={row} baseRecords={baseRecords} /> : <Share row={row} className={COLUMN.share} />}
      <span className={COLUMN.trend}>
        <Trend row={row} view={view} />
      </span>
      <Levels row={row} />
      <span className={classNames('text-muted', COLUMN.service)}>
        <Services names={row.services} />
      </span>
      <Words
        row={row}
        errorType={errorType}
        className={isWrapped ? 'whitespace-pre-wrap [overflow-wrap:anywhere]' : 'truncate'}
      />
    </span>
  )
}

/** The numbers begin where the pattern does. Its service is at the end, as far as it is short. */
function NarrowRow({ row, errorType, view }: LayoutProps) {
  return (
    <span className="flex min-w-0 flex-1 gap-2 py-1.5">
      <Levels row={row} />
      <span className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex items-center gap-3 pr-6 tabular-nums">
          <span className="min-w-11">{withCommas(row.count)}</span>
          {row.count > 0 ? (
            <span className="min-w-11 text-muted">{shareWords(row.share)}</span>
          ) : (
            <span className="whitespace-nowrap text-muted">
              {row.baseCount === null ? null : withCommas(row.baseCount)} before
            </span>
          )}
          {view.hasBase && <PatternStateMark state={row.state} isRow />}
          <span className="ml-auto">
            <Trend row={row} view={view} width={72} />
          </span>
        </span>
        <span className="flex min-w-0 gap-3">
          <Words row={row} errorType={errorType} className={view.isWrapped ? '' : 'line-clamp-2'} />
          <span className="max-w-[35%] shrink-0 text-muted">
            <Services names={row.services} />
          </span>
        </span>
      </span>
    </span>
  )
}

function Words({ row, errorType, className }: { row: LogPattern; errorType: string; className: string }) {
  const look = quietestLook(row)
  return (
    <span
      className={classNames(
        'min-w-0 flex-1 [overflow-wrap:anywhere]',
        className,
        row.state === 'gone' ? 'text-muted' : look.isLoud && look.text,
      )}
    >
      <PatternText pattern={row.pattern} isRow />
      {errorType !== '' && !row.pattern.includes(errorType) && (
        <span className="text-muted"> · {plainLine(errorType)}</span>
      )}
    </span>
  )
}

/** A letter for each, the gravest first. */
function Levels({ row: { levels } }: { row: LogPattern }) {
  return (
    <span className={classNames('font-semibold', COLUMN.level)}>
      {levels.slice(0, LETTERS).map((level) => (
        <span key={level} className={levelLook(level).text} aria-hidden="true">
          {levelLook(level).letter}
        </span>
      ))}
      <span className="sr-only">{levels.join(', ')}</span>
    </span>
  )
}

/** Where most are of a quiet level, a few loud ones must not colour all of it. */
export const quietestLook = ({ levels }: LogPattern) => levelLook(levels.at(-1) ?? '')

function Share({ row: { share, count }, className }: { row: LogPattern; className: string }) {
  if (count === 0) return <span className={className} />
  return (
    <span className={classNames('items-center gap-2', className)}>
      <span className="h-1 w-11 shrink-0 overflow-hidden rounded-full bg-border" aria-hidden="true">
        <span className="block h-full rounded-full bg-muted" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="flex-1 text-right text-muted tabular-nums">{shareWords(share)}</span>
    </span>
  )
}

/** Before and now side by side, for by these something is grown: a count may only have grown with all the others. */
function Shares({ row: { share, baseCount }, baseRecords }: { row: LogPattern; baseRecords: number }) {
  return (
    <span className={classNames('justify-end text-muted tabular-nums', COLUMN.share)}>
      {baseCount !== null && baseCount > 0 && baseRecords > 0 && (
        <span className="text-faint">{shareWords(baseCount / baseRecords)} →</span>
      )}
      <span className="min-w-[7ch] text-right">{shareWords(share)}</span>
    </span>
  )
}

function Trend({ row, view, width = 96 }: TrendProps & { width?: number }) {
  return (
    <Sparkline
      counts={row.trend}
      label={`Trend of ${counted(row.count, 'record')}`}
      width={width}
      fill={quietestLook(row).fill}
      deploys={row.count === 0 ? [] : view.deploys}
    />
  )
}

/** A long name is cut; how many more there are is not. */
function Services({ names }: { names: readonly string[] }) {
  const { first, more } = servicesInShort(names)
  return (
    <span className="flex gap-[1ch]">
      <span className="min-w-0 truncate">{first}</span>
      {more > 0 && <span className="shrink-0">+{more}</span>}
    </span>
  )
}

/** The first, and how many more. */
export function servicesInShort(services: readonly string[]): { first: string; more: number } {
  const [first = '', ...others] = services.filter((name) => name !== '')
  return { first: plainLine(first), more: others.length }
}

function seen(row: LogPattern, { zone, baseRecords }: RowView): string {
  const { firstSeen, lastSeen, services, levels } = row
  const why = stateWords(row, baseRecords)
  const times = `First seen ${formatMoment(firstSeen, zone)}\nLast seen ${formatMoment(lastSeen, zone)}`
  return `${why === null ? '' : `${why}\n`}${times}\n${plainLine(levels.join(', '))}\n${plainLine(services.filter(Boolean).join(', '))}`.trim()
}
