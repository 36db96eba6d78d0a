import { withCommas } from '@tidemark/wire/text/counted'
import { shareWords } from '@tidemark/wire/text/share-words'
import { ArrowDown, Filter, FilterX } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'
import type { LogsAddress } from '../logs-address.ts'
import { groupWords, numberWords } from './group-words.ts'
import { type Group, type Grouping, measuredOf, narrowedTo, type Sort } from './grouping.ts'
import { seriesLook } from './series-look.ts'

/** The same for the head and the rows; those that help least go first. */
const COLUMN = {
  measured: 'w-[84px] shrink-0 text-right tabular-nums',
  count: 'w-[84px] shrink-0 text-right tabular-nums max-sm:hidden',
  share: 'w-[52px] shrink-0 text-right tabular-nums max-sm:hidden',
  bar: 'min-w-0 flex-[2] max-sm:hidden',
  actions: 'flex w-14 shrink-0 pointer-coarse:w-20 justify-end',
} as const

export function GroupColumns({ address, grouping }: { address: LogsAddress; grouping: Grouping }) {
  const { field, measure, of, sort } = grouping
  const columns: { id: Sort; label: string; className: string }[] = [
    { id: 'value', label: field, className: 'min-w-0 flex-1' },
    ...(measure === 'count'
      ? []
      : [
          { id: 'measured' as const, label: measure === 'distinct' ? 'Distinct' : measure, className: COLUMN.measured },
        ]),
    {
      id: measure === 'count' ? 'measured' : 'count',
      label: 'Records',
      className: measure === 'count' ? COLUMN.measured : COLUMN.count,
    },
  ]
  const head = ({ id, label, className }: (typeof columns)[number]) => (
    <span key={id} className={className}>
      <button
        type="button"
        aria-pressed={sort === id}
        title={`Sort by ${id === 'measured' && measure !== 'count' ? `${measure} of ${of}` : id === 'value' ? field : 'records'}`}
        onClick={() => address.change({ sort: id === 'measured' ? undefined : id }, { replace: true })}
        className={classNames(
          'inline-flex max-w-full items-center gap-0.5 hover:text-text pointer-coarse:min-h-control',
          sort === id && 'font-medium text-text',
        )}
      >
        <span className={classNames('truncate', id === 'value' && 'font-mono')}>{label}</span>
        {sort === id && (
          <ArrowDown size={10} className={classNames('shrink-0', id === 'value' && 'rotate-180')} aria-hidden="true" />
        )}
      </button>
    </span>
  )
  const [first, ...numbers] = columns
  return (
    <div className="flex h-6 pointer-coarse:h-auto items-center gap-3 border-b border-border pr-3 pl-[26px] text-tiny text-faint">
      {first && head(first)}
      <span className={COLUMN.bar} />
      {numbers.map(head)}
      {measure === 'count' && <span className={COLUMN.share}>Share</span>}
      <span className={COLUMN.actions} />
    </div>
  )
}

type RowProps = {
  group: Group
  index: number
  /** By what is measured: its place among the colours. */
  rank: number
  grouping: Grouping
  top: number
  total: number
  isCurrent: boolean
  address: LogsAddress
  onOpen: (index: number) => void
  onPoint: (value: string | null) => void
}

export function GroupRow(props: RowProps) {
  const { group, index, rank, grouping, top, total, isCurrent, address, onOpen, onPoint } = props
  const { field, measure } = grouping
  const value = group.values[0] ?? null
  const measured = measuredOf(group, measure)
  const look = seriesLook(field, value, rank)
  const name = groupWords(field, value)
  const [only, without] = [false, true].map((exclude) => narrowedTo(address.filter.query, field, value, exclude))
  return (
    <li
      data-row={index}
      aria-current={isCurrent || undefined}
      onPointerEnter={() => onPoint(value)}
      className={classNames(
        'group/row flex min-h-control items-center gap-3 border-l-[3px] pr-3 text-small hover:bg-hover',
        isCurrent ? 'border-accent' : 'border-transparent',
      )}
    >
      <button
        type="button"
        onClick={() => onOpen(index)}
        disabled={only === undefined}
        title={only === undefined ? 'Too long for a query' : `Show the records of ${name}`}
        className="flex min-h-control min-w-0 flex-1 items-center gap-3 pl-2 text-left enabled:hover:underline"
      >
        <span className={classNames('size-2.5 shrink-0 rounded-[2px]', look.mark)} aria-hidden="true" />
        <span
          className={classNames('min-w-0 flex-1 truncate font-mono', (value === null || value === '') && 'text-faint')}
        >
          {name}
        </span>
        <span className={classNames('h-1.5', COLUMN.bar)} aria-hidden="true">
          <span
            className={classNames('block h-full rounded-full', look.mark)}
            style={{ width: `${(Math.max(0, measured ?? 0) / top) * 100}%` }}
          />
        </span>
      </button>
      {measure !== 'count' && <span className={classNames('font-mono', COLUMN.measured)}>{numberWords(measured)}</span>}
      <span
        className={classNames(
          'font-mono',
          measure === 'count' ? COLUMN.measured : classNames('text-muted', COLUMN.count),
        )}
      >
        {withCommas(group.count)}
      </span>
      {measure === 'count' && (
        <span className={classNames('text-muted', COLUMN.share)}>{shareWords(group.count / Math.max(1, total))}</span>
      )}
      <span className={COLUMN.actions}>
        {only !== undefined && (
          <RowAction label={`Only ${name}`} onClick={() => address.change({ query: only || undefined })}>
            <Filter size={12} aria-hidden="true" />
          </RowAction>
        )}
        {without !== undefined && (
          <RowAction label={`Exclude ${name}`} onClick={() => address.change({ query: without || undefined })}>
            <FilterX size={12} aria-hidden="true" />
          </RowAction>
        )}
      </span>
    </li>
  )
}

type ActionProps = { label: string; onClick: () => void; children: React.ReactNode }

/** Seen where the pointer or the keyboard is, and always where there is no pointer. */
function RowAction({ label, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={onClick}
      className="flex size-6 pointer-coarse:size-control items-center justify-center rounded-[4px] text-muted opacity-0 group-focus-within/row:opacity-100 group-hover/row:opacity-100 hover:text-text pointer-coarse:opacity-100"
    >
      {children}
    </button>
  )
}
