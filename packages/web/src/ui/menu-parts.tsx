import { Menu as Base } from '@base-ui/react/menu'
import { Check } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type MenuProps = { trigger: ReactElement<Record<string, unknown>>; children: ReactNode; align?: 'start' | 'end' }

/** Mounted by the first click on its trigger, and open from then on until it is closed. */
export function OpenMenu({ trigger, children, align = 'start' }: MenuProps) {
  return (
    <Base.Root modal={false} defaultOpen>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} sideOffset={4} className="z-50">
          <Base.Popup className="float max-h-[60vh] max-w-[min(420px,92vw)] min-w-44 overflow-y-auto p-1 outline-none">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

/** A menu at whatever was clicked. */
export function AnchoredMenu({ anchor, isOpen, onOpenChange, children }: AnchoredMenuProps) {
  return (
    <Base.Root open={isOpen} onOpenChange={onOpenChange} modal={false}>
      <Base.Portal>
        <Base.Positioner anchor={anchor} align="start" sideOffset={2} className="z-50">
          <Base.Popup
            finalFocus={() => (anchor instanceof HTMLElement ? anchor : true)}
            className="float w-64 p-1 outline-none"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type AnchoredMenuProps = {
  anchor: Element
  isOpen: boolean
  onOpenChange: (isOpen: boolean) => void
  children: ReactNode
}

type MenuItemProps = {
  children: ReactNode
  onSelect: () => void
  icon?: ReactNode
  detail?: ReactNode
  /** Given for a choice among several: whether it is the one. */
  isChosen?: boolean
  isDanger?: boolean
}

export function MenuItem({ children, onSelect, icon, detail, isChosen, isDanger = false }: MenuItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      className={classNames(
        'flex min-h-control cursor-pointer items-center gap-2 rounded-[4px] px-2 text-base outline-none select-none data-[highlighted]:bg-hover data-[highlighted]:shadow-[inset_2px_0_var(--color-accent)]',
        isDanger && 'text-bad',
      )}
    >
      {isChosen !== undefined && (
        <Check
          size={14}
          className={classNames('shrink-0', isChosen ? 'text-accent' : 'invisible')}
          aria-hidden="true"
        />
      )}
      {icon}
      <span className="min-w-0 flex-1 truncate">{children}</span>
      {isChosen && <span className="sr-only">chosen</span>}
      {detail && <span className="text-tiny text-faint">{detail}</span>}
    </Base.Item>
  )
}

export function MenuSeparator() {
  return <Base.Separator className="my-1 h-px bg-border" />
}
