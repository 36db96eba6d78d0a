/** What a person does with the state of analyses: by a key or a button, of one or of many, and how it is taken back. */
import type { AnalysisState } from '@tidemark/wire/analyses/analysis-state'
import type { AnalysisAction } from '../api/analyses.ts'
import { isOpen } from './analysis-state.tsx'

export const STATE_KEYS = ['e', 'i'] as const

/** Nothing but what a button offers: whatever is open is settled first, and only what is settled is reopened. */
export function actionOf(key: (typeof STATE_KEYS)[number], states: readonly AnalysisState[]): AnalysisAction {
  if (!states.some(isOpen)) return 'reopen'
  return key === 'e' ? 'resolve' : 'ignore'
}

/** For the title of the button. */
export function keysOf(action: AnalysisAction, states: readonly AnalysisState[]): string {
  return STATE_KEYS.filter((key) => actionOf(key, states) === action).join(' or ')
}

/** What undoes a change, from the state it was made in. */
export function undoOf(action: AnalysisAction, before: AnalysisState): AnalysisAction {
  if (action !== 'reopen') return before === 'resolved' ? 'resolve' : before === 'ignored' ? 'ignore' : 'reopen'
  return before === 'ignored' ? 'ignore' : 'resolve'
}
