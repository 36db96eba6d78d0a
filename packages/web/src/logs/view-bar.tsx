import { Link } from '@tanstack/react-router'
import type { LogsSearch } from '@tidemark/wire/dashboard/search'
import { RefreshCw } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../ui/button.tsx'
import { tabClass } from '../ui/tab-class.ts'
import type { LogsAddress } from './logs-address.ts'

type View = LogsSearch['view']

const VIEWS: readonly { view: View; label: string }[] = [
  { view: undefined, label: 'Stream' },
  { view: 'patterns', label: 'Patterns' },
]

/** What is open in one view, and whether it is live, means nothing in the other. */
export const inView = (view: View): Partial<LogsSearch> => ({
  view,
  live: undefined,
  record: undefined,
  pattern: undefined,
})

/** The two ways to look at the records of a search, and what there is to say about the one that is shown. */
export function ViewBar({ address, children }: { address: LogsAddress; children: ReactNode }) {
  return (
    <div className="flex shrink-0 items-stretch gap-x-3 border-b border-border pr-3 pl-1.5 text-tiny text-faint tabular-nums">
      <nav aria-label="Views" className="flex shrink-0 gap-x-1 self-end">
        {VIEWS.map(({ view, label }) => {
          const isChosen = address.search.view === view
          return (
            <Link
              key={label}
              to="."
              search={(before) => (isChosen ? before : { ...before, ...inView(view) })}
              aria-current={isChosen ? 'page' : undefined}
              title={`${label} (p)`}
              className={tabClass(isChosen)}
            >
              {label}
            </Link>
          )
        })}
      </nav>
      <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 py-1">{children}</div>
    </div>
  )
}

/** Where the stream has its switch for live: patterns are counted once, and again when somebody asks. */
export function RefreshPatterns({ onRefresh }: { onRefresh: () => void }) {
  return (
    <Button
      onClick={onRefresh}
      title="Patterns are not live: count them again"
      className="max-sm:w-7 max-sm:!px-0 sm:w-[104px]"
      icon={<RefreshCw size={14} aria-hidden="true" />}
    >
      <span className="max-sm:sr-only">Refresh</span>
    </Button>
  )
}
