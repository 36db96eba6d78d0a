import { counted } from '@tidemark/wire/counted'
import type { LogsAddress } from '../logs-address.ts'
import { ViewBar } from '../view-bar.tsx'
import { ColumnNames, type LineView } from './log-line.tsx'

type StreamHeadProps = {
  address: LogsAddress
  total: number | undefined
  warnings: readonly { message: string }[]
  isCounting: boolean
  isSearching: boolean
  hasRows: boolean
  view: LineView
}

/** How many there are and in which order. Says nothing about what was not requested. */
export function StreamHead({ address, total, warnings, isCounting, isSearching, hasRows, view }: StreamHeadProps) {
  return (
    <>
      <ViewBar address={address}>
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
      </ViewBar>
      {hasRows && <ColumnNames view={view} />}
    </>
  )
}
