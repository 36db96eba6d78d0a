import { CircleCheck, CircleSlash, CircleX } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'

const LOOKS = {
  succeeded: { icon: CircleCheck, tone: 'text-deploy', word: 'Succeeded' },
  failed: { icon: CircleX, tone: 'text-bad', word: 'Failed' },
  cancelled: { icon: CircleSlash, tone: 'text-faint', word: 'Cancelled' },
} as const

export function DeployStatus({ status }: { status: string }) {
  const { icon: Icon, tone, word } = LOOKS[status as keyof typeof LOOKS] ?? LOOKS.cancelled
  return (
    <span className={classNames('inline-flex items-center gap-1.5 text-small font-medium', tone)}>
      <Icon size={15} aria-hidden="true" />
      {word}
    </span>
  )
}
