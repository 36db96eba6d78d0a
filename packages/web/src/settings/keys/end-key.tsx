import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ApiKey } from '@tidemark/wire/people/key'
import type { ReactNode } from 'react'
import { keysQuery, revokeKey } from '../../api/keys.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { useToast } from '../../ui/toast.tsx'

type EndKeyProps = {
  projectId: string
  apiKey: ApiKey
  title: string
  action: string
  /** What is said once it has ended. */
  done: string
  onClose: () => void
  children: ReactNode
}

/** Asks first: a key that has ended never works again. */
export function EndKey({ projectId, apiKey, title, action, done, onClose, children }: EndKeyProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const revocation = useMutation({
    mutationFn: () => revokeKey(projectId, apiKey.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keysQuery(projectId).queryKey })
      say(done)
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={title}
      action={action}
      isBusy={revocation.isPending}
      error={revocation.error}
      onConfirm={() => revocation.mutate()}
    >
      {children}
    </Confirm>
  )
}
