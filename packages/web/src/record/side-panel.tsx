import { Maximize2, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '../ui/button.tsx'
import { classNames } from '../ui/class-names.ts'

type SidePanelProps = {
  label: string
  /** On its bar: what it is about, and what can be done with it. */
  title: ReactNode
  actions: ReactNode
  closeLabel: string
  className?: string | undefined
  onClose: () => void
  children: ReactNode
}

/** Next to the rows, and over them where there is no room. */
export function SidePanel({ label, title, actions, closeLabel, className, onClose, children }: SidePanelProps) {
  const [isWide, setWide] = useState(false)
  return (
    <aside
      aria-label={label}
      className={classNames(
        'flex shrink-0 flex-col border-l border-border bg-surface max-lg:absolute max-lg:inset-0 max-lg:z-20 max-lg:w-full',
        isWide ? 'lg:w-[760px]' : 'lg:w-[480px]',
        className,
      )}
    >
      <h2 className="sr-only">{label}</h2>
      <div className="flex min-h-10 items-center gap-2 border-b border-border pr-1.5 pl-3">
        {title}
        <div className="ml-auto flex">
          {actions}
          <IconButton
            label={isWide ? 'Narrower' : 'Wider'}
            isPressed={isWide}
            onClick={() => setWide(!isWide)}
            className="max-lg:hidden"
          >
            <Maximize2 size={14} aria-hidden="true" />
          </IconButton>
          <IconButton label={closeLabel} onClick={onClose}>
            <X size={16} aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto p-3">{children}</div>
    </aside>
  )
}
