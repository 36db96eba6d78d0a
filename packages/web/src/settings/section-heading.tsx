import type { ReactNode } from 'react'

export function SectionHeading({ title, about, action }: { title: string; about: ReactNode; action?: ReactNode }) {
  return (
    <div className="mb-3 flex flex-wrap items-start gap-3">
      <div className="min-w-0 flex-1 basis-72">
        <h2 className="text-large font-semibold">{title}</h2>
        <div className="mt-0.5 max-w-[68ch] text-muted">{about}</div>
      </div>
      {action}
    </div>
  )
}
