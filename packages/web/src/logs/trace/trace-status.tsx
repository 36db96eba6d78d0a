import { counted } from '@tidemark/wire/text/counted'
import type { TraceState } from './use-trace.ts'
import { sinceWords } from './waterfall.ts'

export function TraceStatus({ trace: { waterfall, isBusy } }: { trace: TraceState }) {
  return (
    <>
      <span role="status" className="min-w-0 truncate">
        {waterfall &&
          waterfall.records.length > 0 &&
          `${counted(waterfall.records.length, 'record')} of ${counted(waterfall.services, 'service')} in ${sinceWords(waterfall.lengthUs).slice(1)}`}
      </span>
      <span className="ml-auto max-sm:hidden">{isBusy ? 'Searching' : waterfall && 'Oldest first'}</span>
    </>
  )
}
