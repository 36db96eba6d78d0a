/** What an owner can do with every rule and every channel. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { alertsQuery, deliveriesQuery } from '../../api/alerts.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'

/** `children`: a button of its own kind. */
type ActionsProps = { name: string; onChange: () => void; onRemove: () => void; children: ReactNode }

export function Actions({ name, onChange, onRemove, children }: ActionsProps) {
  return (
    <span className="inline-flex gap-1 max-sm:flex-wrap">
      {children}
      <Button onClick={onChange} aria-label={`Change ${name}`}>
        Change
      </Button>
      <Button look="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
        Remove
      </Button>
    </span>
  )
}

type RemovalProps = {
  projectId: string
  name: string
  remove: () => Promise<unknown>
  /** What is said once it is gone. */
  done: string
  onClose: () => void
  children: ReactNode
}

export function Removal({ projectId, name, remove, done, onClose, children }: RemovalProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: alertsQuery(projectId).queryKey })
      queryClient.invalidateQueries({ queryKey: deliveriesQuery(projectId).queryKey })
      say(done)
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Remove ${plainLine(name)}?`}
      action="Remove"
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    >
      {children}
    </Confirm>
  )
}
