import type { CountAnswer } from '@tidemark/wire/reading/reading'
import { counted } from '@tidemark/wire/text/counted'
import type { StreamState } from './use-stream.ts'

type StatusProps = { count: CountAnswer | undefined; isCounting: boolean; stream: StreamState }

/** How many there are and in which order. Says nothing about what was not requested. */
export function StreamStatus({ count, isCounting, stream: { answer, found, rows } }: StatusProps) {
  return (
    <>
      <span role="status">
        {count && counted(count.total, 'record')}
        {!count && isCounting && 'Counting'}
      </span>
      {answer?.warnings.map(({ message }) => (
        <span key={message} className="text-warn">
          {message}
        </span>
      ))}
      <span className="ml-auto">{found.isFetching ? 'Searching' : rows.length > 0 && 'Newest first'}</span>
    </>
  )
}
