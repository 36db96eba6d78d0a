import { type ReactNode, useState } from 'react'
import { Button } from '../../ui/button.tsx'

type PartProps = { title: string; label?: string; aside?: ReactNode; action?: ReactNode; children: ReactNode }

/** A part of the page of a deploy, with its heading. */
export function Part({ title, label = title, aside, action, children }: PartProps) {
  return (
    <section aria-label={label}>
      <div className="mb-2 flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
        <h2 className="text-large font-semibold">{title}</h2>
        {aside && <p className="min-w-0 text-small text-muted">{aside}</p>}
        {action && <div className="ml-auto text-small">{action}</div>}
      </div>
      {children}
    </section>
  )
}

const SHOWN_FIRST = 10

type ListProps<Item> = { items: readonly Item[]; keyOf: (item: Item) => string; children: (item: Item) => ReactNode }

/** The first of many, the rest on demand. */
export function PartList<Item>({ items, keyOf, children }: ListProps<Item>) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST)
  const hidden = items.length - shown.length
  return (
    <>
      <ol className="divide-y divide-border overflow-hidden rounded-control border border-border bg-surface">
        {shown.map((item) => (
          <li key={keyOf(item)}>{children(item)}</li>
        ))}
      </ol>
      {hidden > 0 && (
        <Button onClick={() => setWhole(true)} className="mt-2">
          Show {hidden} more
        </Button>
      )}
    </>
  )
}
