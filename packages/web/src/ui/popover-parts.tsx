import { Popover as Base } from '@base-ui/react/popover'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type PopoverProps = {
  trigger: ReactElement<Record<string, unknown>>
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
  label: string
  align?: 'start' | 'center' | 'end'
  className?: string
}

export function OpenPopover(props: PopoverProps) {
  const { trigger, isOpen, onOpenChange, children, label, align = 'start', className } = props
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup aria-label={label} className={classNames('float outline-none', className)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
