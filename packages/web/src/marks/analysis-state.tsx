import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { type AnalysisState, isQuietNow, isSettled } from '@tidemark/wire/analyses/analysis-state'
import { CircleAlert, CircleCheck, CircleDot, EyeOff, RotateCcw } from 'lucide-react'
import { Badge } from '../ui/badge.tsx'
import { classNames } from '../ui/class-names.ts'

export const STATE_LOOK = {
  new: { icon: CircleAlert, tone: 'text-bad', word: 'New' },
  regressed: { icon: RotateCcw, tone: 'text-bad', word: 'Regressed' },
  ongoing: { icon: CircleDot, tone: 'text-warn', word: 'Ongoing' },
  resolved: { icon: CircleCheck, tone: 'text-good', word: 'Resolved' },
  ignored: { icon: EyeOff, tone: 'text-faint', word: 'Ignored' },
} as const satisfies Record<AnalysisState, unknown>

export const isOpen = (state: AnalysisState): boolean => !isSettled(state)

/** A line of text with its picture in it, so that it shares a baseline with whatever is beside it. */
export function StateMark({ state }: { state: AnalysisState }) {
  const { icon: Icon, tone, word } = STATE_LOOK[state]
  return (
    <span className={classNames('text-small font-medium whitespace-nowrap', tone)}>
      <Icon size={14} className="mr-1.5 inline align-[-2.5px]" aria-hidden="true" />
      {word}
    </span>
  )
}

/** Beside the state of what has stopped for now. */
export function QuietMark({ analysis }: { analysis: Pick<AnalysisItem, 'activity' | 'state'> }) {
  if (!isQuietNow(analysis)) return null
  return (
    <span className="inline-flex" title="Silent for several times its usual gap">
      <Badge>Quiet</Badge>
    </span>
  )
}
