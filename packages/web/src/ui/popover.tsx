/** A box beside its trigger. Its machinery is loaded when it is first opened. */
import { cloneElement, lazy, Suspense, useState } from 'react'
import type { PopoverProps } from './popover-parts.tsx'
import { Awaited } from './skeleton.tsx'

const OpenPopover = lazy(() => import('./popover-parts.tsx').then((module) => ({ default: module.OpenPopover })))

export function Popover(props: PopoverProps) {
  const { trigger, isOpen, onOpenChange } = props
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  if (!wasOpen) return cloneElement(trigger, { onClick: () => onOpenChange(true), 'aria-haspopup': 'dialog' })
  return (
    <Suspense
      fallback={
        <>
          {trigger}
          {isOpen && <Awaited />}
        </>
      }
    >
      <OpenPopover {...props} />
    </Suspense>
  )
}
