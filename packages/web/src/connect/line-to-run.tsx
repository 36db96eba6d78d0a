import type { ReactNode } from 'react'
import { CopyBlock } from '../ui/copy.tsx'

type LineToRunProps = {
  title: string
  about: ReactNode
  command: string
  /** What is below the line: what it waits for, and other ways. */
  children?: ReactNode
}

/** Nothing was sent yet: what to run for it, in a box as wide as its lines while the page has room. */
export function LineToRun({ title, about, command, children }: LineToRunProps) {
  return (
    <div className="mx-auto flex w-fit max-w-full flex-col gap-3 px-4 py-10">
      <p className="text-large font-medium text-pretty">{title}</p>
      {/* As wide as the lines, and by itself no wider than can be read. */}
      <div className="min-w-full max-w-[68ch] text-pretty text-muted">{about}</div>
      <CopyBlock text={command} label="command" isCode isCopyAbove />
      {children}
    </div>
  )
}
