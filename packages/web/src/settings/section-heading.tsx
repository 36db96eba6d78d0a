import type { ReactNode } from 'react'

type HeadingProps = { title: string; about: ReactNode; action?: ReactNode; id?: string }

/** The name of the section, with its actions beside it. */
export function SectionHeading({ title, about, action, id }: HeadingProps) {
  return (
    <div className="mb-3">
      <div className="flex min-h-control items-center justify-between gap-3">
        <h2 id={id} className="text-large font-semibold">
          {title}
        </h2>
        {action}
      </div>
      <div className="mt-0.5 max-w-[68ch] text-pretty text-muted">{about}</div>
    </div>
  )
}
