import type { CountAnswer } from '@tidemark/wire/reading/count'
import { counted } from '@tidemark/wire/text/counted'
import { ArrowUpDown } from 'lucide-react'
import { classNames, dimmed } from '../../ui/class-names.ts'
import type { LogsAddress } from '../logs-address.ts'
import type { StreamState } from './use-stream.ts'

/** Where the line is short, its picture says it alone. */
const WORDS = '@max-[520px]:sr-only'

type StatusProps = {
  address: LogsAddress
  count: CountAnswer | undefined
  /** The count is of an earlier search. */
  isCountOld: boolean
  isCounting: boolean
  stream: StreamState
}

/** How many there are and in which order. Says nothing about what was not requested. */
export function StreamStatus({ address, count, isCountOld, isCounting, stream: { found, rows } }: StatusProps) {
  const { isLive, search, change } = address
  const words = search.order === 'oldest' ? 'Oldest first' : 'Newest first'
  return (
    <>
      <span role="status" className={classNames('min-w-0 truncate', dimmed(isCountOld))}>
        {count && counted(count.total, 'record')}
        {!count && isCounting && 'Counting'}
      </span>
      <span className="ml-auto">
        {found.isFetching && 'Searching'}
        {!found.isFetching && rows.length > 0 && isLive && (
          <span className={classNames('pr-[15px]', WORDS)}>{words}</span>
        )}
        {!found.isFetching && rows.length > 0 && !isLive && (
          <button
            type="button"
            title="Reverse the order (o)"
            onClick={() => change({ order: search.order === 'oldest' ? undefined : 'oldest' })}
            className="inline-flex items-center justify-center gap-1 pointer-coarse:-my-1 pointer-coarse:h-control pointer-coarse:min-w-control hover:text-text"
          >
            <span className={WORDS}>{words}</span>
            <ArrowUpDown size={11} aria-hidden="true" />
          </button>
        )}
      </span>
    </>
  )
}
