import type { ReactNode } from 'react'

type PanelProps = { id?: string; title: string; aside?: ReactNode; action?: ReactNode; children: ReactNode }

export function Panel({ id, title, aside, action, children }: PanelProps) {
  return (
    <section id={id} aria-label={title} className="min-w-0 scroll-mt-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-large font-semibold">{title}</h2>
        {aside && <div className="min-w-0 text-small text-muted">{aside}</div>}
        {action && <div className="ml-auto text-small">{action}</div>}
      </div>
      <div className="@container overflow-hidden rounded-control border border-border bg-surface">{children}</div>
    </section>
  )
}

/** Two columns from 1200 px. Below that the panels are stacked, the most urgent first. */
export function OverviewGrid({ first, beside, last }: { first: ReactNode; beside: ReactNode; last: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-5 min-[1200px]:grid-cols-[minmax(0,1fr)_360px] min-[1200px]:grid-rows-[auto_1fr] 2xl:grid-cols-[minmax(0,1fr)_460px]">
      {first}
      <div className="flex min-w-0 flex-col gap-5 min-[1200px]:row-span-2">{beside}</div>
      {last}
    </div>
  )
}

/** Where there is nothing to show because nothing is wrong. */
export function Calm({ children }: { children: ReactNode }) {
  return <p className="px-3 py-4 text-muted">{children}</p>
}
