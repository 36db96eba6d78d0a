import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Problem } from './problem.tsx'

type ConfirmProps = {
  isOpen: boolean
  title: string
  children: ReactNode
  /** The verb, as on the button that asked. */
  action: string
  isBusy?: boolean
  error?: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Asks before something that cannot be undone. */
export function Confirm({ isOpen, title, children, action, isBusy = false, error, onConfirm, onClose }: ConfirmProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title}>
      <div className="flex flex-col gap-4">
        <div className="text-muted">{children}</div>
        {error && <Problem error={error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button look="danger" isBusy={isBusy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
