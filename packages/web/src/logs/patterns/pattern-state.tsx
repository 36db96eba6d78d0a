import type { PatternState } from '@tidemark/wire/reading/patterns'
import { CircleOff, Equal, Plus, TrendingDown, TrendingUp } from 'lucide-react'
import { classNames } from '../../ui/class-names.ts'

const STATE_LOOK = {
  new: { icon: Plus, tone: 'text-text font-medium', word: 'New' },
  grown: { icon: TrendingUp, tone: 'text-text font-medium', word: 'Grown' },
  shrunk: { icon: TrendingDown, tone: 'text-muted', word: 'Shrunk' },
  gone: { icon: CircleOff, tone: 'text-muted', word: 'Gone' },
  steady: { icon: Equal, tone: 'text-muted', word: 'Steady' },
} as const satisfies Record<PatternState, unknown>

/** What became of a pattern since the base. Whether that is good or bad only its level can say. */
export function PatternStateMark({ state, isRow = false }: { state: PatternState | null; isRow?: boolean }) {
  if (state === null) return null
  // Among many rows only what changed is shown.
  if (isRow && state === 'steady') return <span className="sr-only">Steady</span>
  const { icon: Icon, tone, word } = STATE_LOOK[state]
  return (
    <span className={classNames('font-sans text-small whitespace-nowrap', tone)}>
      <Icon size={13} className="mr-1 inline align-[-2px]" aria-hidden="true" />
      {word}
    </span>
  )
}
