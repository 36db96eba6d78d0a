/** Shown in place of the rows, or above the earlier ones, while the query or the range of the address cannot be read. */
import { LOGS_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import { plainBeginning } from '../text/plain-text.ts'
import { presetsOf } from '../time/range.ts'
import { Button } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import type { LogsAddress } from './logs-address.ts'

const MAX_SHOWN = 60
const lastHour = presetsOf(LOGS_DEFAULT_FROM).find(({ from }) => from === '-1h')

/** `isLeft`: rows of an earlier search are shown below. */
export function Unreadable({ address: { rangeFault, change }, isLeft }: { address: LogsAddress; isLeft: boolean }) {
  if (rangeFault === undefined) {
    return (
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2 px-3 py-3 text-muted">
        <p>Correct the query above to search.{isLeft && ' Below are the results of the last search.'}</p>
        <Button onClick={() => change({ query: undefined })}>Clear the query</Button>
      </div>
    )
  }
  return (
    <Empty title={rangeFault === 'reversed' ? 'The range ends before it begins' : 'The range cannot be read'}>
      {rangeFault === 'reversed' ? (
        <p>The two times in the address of this page are the wrong way round.</p>
      ) : (
        <p className="[overflow-wrap:anywhere]">
          The address of this page asks for records {rangeFault.end === 'from' ? 'since' : 'until'}{' '}
          <code className="font-mono">{plainBeginning(rangeFault.text, MAX_SHOWN)}</code>, which is not a time. Times
          are written like <code className="font-mono">-2h</code>, <code className="font-mono">yesterday</code> or{' '}
          <code className="font-mono">2026-01-31 14:00</code>.
        </p>
      )}
      {lastHour && (
        <Button className="mt-4" onClick={() => change(lastHour.range)}>
          Look at the last hour
        </Button>
      )}
    </Empty>
  )
}
