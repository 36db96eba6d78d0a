import { counted } from '@tidemark/wire/counted'
import { ColumnNames, type LineView } from './log-line.tsx'

type StreamHeadProps = {
  total: number | undefined
  warnings: readonly { message: string }[]
  isCounting: boolean
  isSearching: boolean
  hasRows: boolean
  view: LineView
}

/** How many there are and in which order. Says nothing about what was not requested. */
export function StreamHead({ total, warnings, isCounting, isSearching, hasRows, view }: StreamHeadProps) {
  return (
    <>
      <div className="flex min-h-6 flex-wrap items-center gap-x-3 border-b border-border px-3 text-tiny text-faint tabular-nums">
        <span role="status">
          {total !== undefined && counted(total, 'record')}
          {total === undefined && isCounting && 'Counting'}
        </span>
        {warnings.map(({ message }) => (
          <span key={message} className="text-warn">
            {message}
          </span>
        ))}
        <span className="ml-auto">{isSearching ? 'Searching' : hasRows && 'Newest first'}</span>
      </div>
      {hasRows && <ColumnNames view={view} />}
    </>
  )
}
