import type { DeployStatus as Status } from '@tidemark/wire/deploys/deploy-status'
import { CircleCheck, CircleSlash, CircleX } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'

export const STATUS_LOOK = {
  succeeded: { icon: CircleCheck, tone: 'text-muted', word: 'Succeeded' },
  failed: { icon: CircleX, tone: 'text-bad font-medium', word: 'Failed' },
  cancelled: { icon: CircleSlash, tone: 'text-faint', word: 'Cancelled' },
} as const satisfies Record<Status, unknown>

/** A line of text with its picture in it, so that it shares a baseline with whatever is beside it. */
export function DeployStatus({ status }: { status: Status }) {
  const { icon: Icon, tone, word } = STATUS_LOOK[status]
  return (
    <span className={classNames('text-small whitespace-nowrap', tone)}>
      <Icon size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {word}
    </span>
  )
}
