import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

/** A plain table that scrolls sideways in its own box, so that a narrow page never does. */
export function Table({ label, head, children }: { label: string; head: readonly string[]; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable with the keyboard
      tabIndex={0}
      className="relative overflow-x-auto rounded-control border border-border bg-surface"
    >
      <table className="w-full border-collapse text-left">
        <thead>
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
        <tbody>{children}</tbody>
      </table>
    </section>
  )
}

export function Row({ children, isFaded = false }: { children: ReactNode; isFaded?: boolean }) {
  return <tr className={classNames('border-b border-border last:border-0', isFaded && 'text-faint')}>{children}</tr>
}

export function Cell({ children, className }: { children?: ReactNode; className?: string }) {
  return <td className={classNames('h-9 px-3 py-1 align-middle whitespace-nowrap', className)}>{children}</td>
}
