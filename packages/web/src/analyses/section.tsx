import type { ReactNode } from 'react'

/** The parts of the page that a sentence of the summary can lead to. */
export type PartId =
  | 'cause'
  | 'suspects'
  | 'deploy'
  | 'failed-deploys'
  | 'occurrences'
  | 'stack'
  | 'affected'
  | 'before'
  | 'comments'

type SectionProps = { id?: PartId; title: string; aside?: ReactNode; action?: ReactNode; children: ReactNode }

export function Section({ id, title, aside, action, children }: SectionProps) {
  return (
    <section id={id} aria-label={title} className="scroll-mt-4">
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h2 className="text-large font-semibold">{title}</h2>
        {aside && <div className="min-w-0 text-small text-muted">{aside}</div>}
        {action && <div className="ml-auto self-center">{action}</div>}
      </div>
      {children}
    </section>
  )
}
