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
      <div className="overflow-hidden rounded-control border border-border bg-surface">{children}</div>
    </section>
  )
}

/** Where there is nothing to show because nothing is wrong. */
export function Calm({ children }: { children: ReactNode }) {
  return <p className="px-3 py-4 text-muted">{children}</p>
}
