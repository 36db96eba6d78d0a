import { Link } from '@tanstack/react-router'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { Later } from '../ui/later.tsx'
import { tabClass } from '../ui/tab-row.tsx'
import type { LogsAddress } from './logs-address.ts'

type View = LogsSearch['view']

const VIEWS: readonly { view: View; label: string; hint: string }[] = [
  { view: undefined, label: 'Stream', hint: 'Record by record' },
  { view: 'patterns', label: 'Patterns', hint: 'What messages say (p)' },
  { view: 'groups', label: 'Group by', hint: 'By the values of a field (b)' },
  { view: 'trace', label: 'Trace', hint: 'Across services, on a waterfall' },
]

/** What is open in one view, and whether it is live, means nothing in the other. */
export const inView = (view: View): Partial<LogsSearch> => ({
  view,
  live: undefined,
  record: undefined,
  pattern: undefined,
  sort: undefined,
})

type ViewBarProps = {
  address: LogsAddress
  /** The query asks for one trace. */
  hasTrace: boolean
  children: ReactNode
}

/** The ways to look at the records of a search, and what there is to say about the one that is shown. */
export function ViewBar({ address, hasTrace, children }: ViewBarProps) {
  const views = VIEWS.filter(({ view }) => view !== 'trace' || hasTrace || address.search.view === 'trace')
  return (
    <div className="flex shrink-0 items-stretch gap-x-3 border-b border-border pr-3 pl-1.5 text-tiny text-faint tabular-nums">
      <Later instead={<span className="-mb-px h-8 pointer-coarse:mb-0 pointer-coarse:h-control" />}>
        <nav aria-label="Views" className="flex shrink-0 gap-x-1 self-end">
          {views.map(({ view, label, hint }) => {
            const isChosen = address.search.view === view
            return (
              <Link
                key={label}
                to="."
                search={(before) => (isChosen ? before : { ...before, ...inView(view) })}
                aria-current={isChosen ? 'page' : undefined}
                title={hint}
                className={tabClass(isChosen)}
              >
                {label}
              </Link>
            )
          })}
        </nav>
        <div className="flex min-w-0 flex-1 items-center gap-x-3 py-1 whitespace-nowrap">{children}</div>
      </Later>
    </div>
  )
}

/** In place of the live switches of the stream, and as wide, so that the toolbar does not move between the views. */
export function Refresh({ onRefresh }: { onRefresh: () => void }) {
  return (
    <Button
      onClick={onRefresh}
      title="This view is not live: count again"
      className="w-[104px] sm:mr-8"
      icon={<RefreshCw size={14} aria-hidden="true" />}
    >
      Refresh
    </Button>
  )
}
