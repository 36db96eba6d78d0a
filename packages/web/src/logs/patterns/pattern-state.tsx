import type { PatternState } from '@tidemark/wire/patterns'
import { CircleOff, Plus, TrendingDown, TrendingUp } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'

const STATE_LOOK = {
  new: { icon: Plus, tone: 'text-accent font-medium', word: 'New' },
  grown: { icon: TrendingUp, tone: 'text-text font-medium', word: 'Grown' },
  shrunk: { icon: TrendingDown, tone: 'text-muted', word: 'Shrunk' },
  gone: { icon: CircleOff, tone: 'text-muted', word: 'Gone' },
  steady: { icon: undefined, tone: 'text-faint', word: 'Steady' },
} as const satisfies Record<PatternState, unknown>

/** What became of a pattern since the base. Whether that is good or bad only its level can say. */
export function PatternStateMark({ state }: { state: PatternState | null }) {
  if (state === null) return null
  const { icon: Icon, tone, word } = STATE_LOOK[state]
  return (
    <span className={classNames('font-sans text-small whitespace-nowrap', tone)}>
      {Icon && <Icon size={13} className="mr-1 inline align-[-2px]" aria-hidden="true" />}
      {word}
    </span>
  )
}
