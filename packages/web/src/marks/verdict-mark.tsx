import type { Verdict } from '@tidemark/wire/deploys/deploy-status'
import { CircleCheck, CircleDashed, CircleX, Clock, TriangleAlert } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'

/** Each has a shape of its own, so that it can be recognised without its colour; the one that matters most is filled. */
export const VERDICT_LOOK = {
  good: { icon: CircleCheck, tone: 'text-good', edge: 'border-l-good', word: 'Good' },
  suspect: { icon: TriangleAlert, tone: 'text-warn', edge: 'border-l-warn', word: 'Suspect' },
  bad: { icon: CircleX, tone: 'text-bad', edge: 'border-l-bad', word: 'Bad' },
  too_early: { icon: Clock, tone: 'text-faint', edge: 'border-l-strong-border', word: 'Too early' },
} as const satisfies Record<Verdict, unknown>

/** Too little was seen to tell, and waiting longer changes nothing. */
const NEVER_JUDGED = { icon: CircleDashed, tone: 'text-faint', word: 'Not judged' } as const

/**
 * A line of text with its picture in it, so that it shares a baseline with whatever is beside it. A deploy that failed or
 * was cancelled has no verdict: its status is shown.
 */
export function VerdictMark({ verdict, isAwaited = true }: { verdict: Verdict; isAwaited?: boolean }) {
  const { icon: Icon, tone, word } = !isAwaited && verdict === 'too_early' ? NEVER_JUDGED : VERDICT_LOOK[verdict]
  return (
    <span className={classNames('text-small font-medium whitespace-nowrap', tone)}>
      <Icon
        size={14}
        className={classNames('mr-1.5 inline align-[-2.5px]', verdict === 'bad' && 'fill-current stroke-surface')}
        aria-hidden="true"
      />
      {word}
    </span>
  )
}
