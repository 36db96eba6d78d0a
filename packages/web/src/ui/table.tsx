import { Children, createContext, type ReactNode, use } from 'react'
import { classNames } from './class-names.ts'

const HeadContext = createContext<readonly string[]>([])
const LabelContext = createContext('')

/**
 * A plain table that scrolls sideways in its own box, so that a narrow page never does. On a phone each row is a card of
 * its cells under one another, each with the name of its column beside it.
 */
export function Table({ label, head, children }: { label: string; head: readonly string[]; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-control border border-border bg-surface"
    >
      <table className="w-full border-collapse text-left max-sm:block">
        <thead className="max-sm:sr-only">
          <tr className="border-b border-border">
            {head.map((text, index) => (
              <th
                key={text || index}
                scope="col"
                className="h-8 px-3 text-small font-medium whitespace-nowrap text-muted"
              >
                {text || <span className="sr-only">Actions</span>}
              </th>
            ))}
          </tr>
        </thead>
        <HeadContext value={head}>
          <tbody className="max-sm:block">{children}</tbody>
        </HeadContext>
      </table>
    </section>
  )
}

/** Its children are the cells, one for each column, in the order of the head. */
export function Row({ children, isFaded = false }: { children: ReactNode; isFaded?: boolean }) {
  const head = use(HeadContext)
  return (
    <tr
      className={classNames('border-b border-border last:border-0 max-sm:block max-sm:py-2', isFaded && 'text-faint')}
    >
      {Children.map(children, (cell, column) => (
        <LabelContext value={head[column] ?? ''}>{cell}</LabelContext>
      ))}
    </tr>
  )
}

export function Cell({ children, className }: { children?: ReactNode; className?: string }) {
  const label = use(LabelContext)
  return (
    <td
      data-label={label}
      className={classNames(
        'px-3 py-1 align-middle sm:h-9 sm:py-1.5 sm:whitespace-nowrap',
        'max-sm:grid max-sm:grid-cols-[88px_minmax(0,1fr)] max-sm:items-baseline max-sm:gap-3 max-sm:has-[>div:empty]:hidden',
        'max-sm:before:font-sans max-sm:before:text-small max-sm:before:font-normal max-sm:before:text-muted max-sm:before:content-[attr(data-label)]',
        className,
      )}
    >
      <div className="[overflow-wrap:anywhere] sm:contents">{children}</div>
    </td>
  )
}
