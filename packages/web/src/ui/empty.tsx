import type { ReactNode } from 'react'

/** A page or list with nothing in it: says why, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="mx-auto flex w-full max-w-[620px] flex-col items-stretch gap-3 px-4 py-10 text-center">
      <p className="text-large font-medium text-pretty [overflow-wrap:anywhere]">{title}</p>
      <div className="text-pretty text-muted">{children}</div>
    </div>
  )
}

/** The same for a part of a page, in its place. */
export function EmptyPart({ children }: { children: ReactNode }) {
  return (
    <div className="rounded-control border border-border bg-surface p-4 text-muted [overflow-wrap:anywhere]">
      {children}
    </div>
  )
}
