import { type ReactNode, useEffect, useRef } from 'react'
import { classNames } from './class-names.ts'

/** For a link that looks like a tab, in a row with a line below it. */
export const tabClass = (isChosen: boolean) =>
  classNames(
    '-mb-px flex h-8 shrink-0 items-center gap-1.5 border-b-2 px-2 text-small font-medium -outline-offset-2 hover:text-text pointer-coarse:h-control',
    isChosen ? 'border-accent text-text' : 'border-transparent text-muted',
  )

type TabRowProps = {
  label: string
  /** What is chosen, which is scrolled to when it changes. */
  current: string
  className: string
  children: ReactNode
}

/** Links to parts of a page in one line, which scrolls sideways where it is longer than the page. The chosen one is in sight. */
export function TabRow({ label, current, className, children }: TabRowProps) {
  const row = useRef<HTMLElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is chosen
  useEffect(() => {
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav
      ref={row}
      aria-label={label}
      className={classNames('flex gap-1 overflow-x-auto overflow-y-hidden scroll-px-10', className)}
    >
      {children}
    </nav>
  )
}
