import { withCommas } from '@tidemark/wire/text/counted'
import { Minus, MoveDown, MoveUp } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import { countChange } from './count-change.ts'

const ICONS = { up: MoveUp, down: MoveDown, same: Minus } as const

/** `recordsBefore`: of all kinds, in the time before. */
type ComparisonProps = { count: number; before: number; recordsBefore: number; isBadUp?: boolean }

/** An arrow and words. Only what is worse when there is more of it gets a colour, where there is clearly more. */
export function ComparisonMark({ count, before, recordsBefore, isBadUp = false }: ComparisonProps) {
  const { direction, words, isClear } = countChange(count, before, recordsBefore)
  const Icon = ICONS[direction]
  return (
    <span
      title={`${withCommas(before)} in the time before`}
      className={classNames('text-small', isBadUp && direction === 'up' && isClear ? 'text-bad' : 'text-muted')}
    >
      <Icon size={12} className="mr-1 inline align-[-1.5px]" aria-hidden="true" />
      {words}
    </span>
  )
}
