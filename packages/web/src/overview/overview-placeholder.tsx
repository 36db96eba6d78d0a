import type { ReactNode } from 'react'
import { Skeleton } from '../ui/skeleton.tsx'
import { OverviewGrid, Panel } from './panel.tsx'

const TILES = ['fatal', 'error', 'warn', 'info', 'debug', 'all']
const ROWS = ['first', 'second', 'third', 'fourth', 'fifth']

/** Blocks in the size of the content to come, under the headings that stay. `children` are shown below the headline. */
export function OverviewPlaceholder({ children }: { children?: ReactNode }) {
  return (
    <div role="status" aria-label="Loading" className="flex flex-col gap-5">
      <Skeleton className="my-1 h-5 w-[min(420px,80%)] max-sm:mb-[38px]" />
      {children}
      <div className="mb-[26px] max-sm:mb-[44px] flex flex-wrap gap-px overflow-hidden rounded-control border border-border bg-border">
        {TILES.map((name) => (
          <div
            key={name}
            className="flex h-[104px] flex-1 basis-24 flex-col sm:h-[86px] sm:basis-36 justify-center gap-2.5 bg-surface px-3"
          >
            <Skeleton className="h-3 w-12" />
            <Skeleton className="h-4 w-16" />
            <Skeleton className="h-3 w-24" />
          </div>
        ))}
      </div>
      <OverviewGrid
        first={<Rows title="Needs a look" count={2} className="h-[143px] sm:h-[121px] xl:h-[85px]" />}
        beside={
          <>
            <Rows title="Silent services" count={1} className="h-[51px]" />
            <Rows title="Latest deploys" count={5} className="h-[71px] sm:h-[60px]" />
          </>
        }
        last={<Rows title="Services" count={5} className="h-9" />}
      />
    </div>
  )
}

function Rows({ title, count, className }: { title: string; count: number; className: string }) {
  return (
    <Panel title={title}>
      {ROWS.slice(0, count).map((name) => (
        <div
          key={name}
          className={`flex flex-col justify-center border-b border-border px-3 last:border-0 ${className}`}
        >
          <Skeleton className="h-3 w-2/3" />
        </div>
      ))}
    </Panel>
  )
}
