import { Dialog as Base } from '@base-ui/react/dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'

export type DialogProps = {
  isOpen: boolean
  onClose: () => void
  title: string
  description?: ReactNode
  children: ReactNode
  width?: 'narrow' | 'wide'
}

/**
 * In front of the page, or of another dialog: holds the focus, closes with Esc, gives the focus back. What begins with a
 * field is opened to be filled in, so the focus is there, otherwise on Close. A field with `autoFocus` would take it too
 * early: the dialog would no longer know what had it before.
 */
export function Dialog({ isOpen, onClose, title, description, children, width = 'narrow' }: DialogProps) {
  const body = useRef<HTMLDivElement>(null)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-black/45" />
        <Base.Popup
          initialFocus={() => fieldAtStart(body.current) ?? true}
          className={classNames(
            'float fixed top-[8vh] left-1/2 z-50 flex max-h-[84vh] w-[calc(100vw-24px)] -translate-x-1/2 flex-col outline-none',
            'data-nested-dialog-open:after:absolute data-nested-dialog-open:after:inset-0 data-nested-dialog-open:after:rounded-control data-nested-dialog-open:after:bg-black/45',
            width === 'wide' ? 'max-w-[760px]' : 'max-w-[460px]',
          )}
        >
          <div className="flex items-start gap-3 border-b border-border px-4 py-3">
            <div className="min-w-0 flex-1 pt-[3px] pointer-coarse:pt-[9px]">
              <Base.Title className="text-large font-semibold">{title}</Base.Title>
              {description && (
                <Base.Description className="mt-0.5 text-pretty text-muted">{description}</Base.Description>
              )}
            </div>
            <IconButton label="Close" onClick={onClose} className="-mr-1.5">
              <X size={16} aria-hidden="true" />
            </IconButton>
          </div>
          <div ref={body} className="min-h-0 flex-1 overflow-y-auto p-4">
            {children}
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

const FIELD = 'input:enabled, select:enabled, textarea:enabled'

function fieldAtStart(body: HTMLElement | null): HTMLElement | null {
  const first = body?.querySelector<HTMLElement>(`${FIELD}, button:enabled, a[href], summary, [tabindex]`)
  return first?.matches(FIELD) ? first : null
}
