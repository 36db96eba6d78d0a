/** The states of analyses and what begins an episode, without schemas, so that the browser may load it. */
import { DAY_US } from '../time/units.ts'

/** Somebody still has to look at these. */
export const OPEN_STATES = ['regressed', 'new', 'ongoing'] as const

/** The most urgent first, in every list, tab and sentence; the rank of an analysis adds what else is known of it. */
export const ANALYSIS_STATES = [...OPEN_STATES, 'resolved', 'ignored'] as const

export type AnalysisState = (typeof ANALYSIS_STATES)[number]

/** Somebody has decided: it is resolved or ignored. */
export function isSettled(state: AnalysisState): boolean {
  return !OPEN_STATES.some((open) => open === state)
}

/** It has stopped for now. After resolving it people expect that, so then nobody is told. */
export function isQuietNow({ state, activity }: { state: AnalysisState; activity: string }): boolean {
  return activity === 'quiet' && state !== 'resolved'
}

/** Of what clearly grew in a window, ongoing ones: what has gone quiet since does not spike now. */
export function spikeWord(analysis: Parameters<typeof isQuietNow>[0]): 'spiking' | 'spiked' {
  return isQuietNow(analysis) ? 'spiked' : 'spiking'
}

/** The lists of an overview in the same order: what spiked is ongoing. */
export const OVERVIEW_LISTS = ['regressedAnalyses', 'newAnalyses', 'spikingAnalyses'] as const

/** The first error, one after a resolve, one after a quiet window. */
export const EPISODE_BEGINNINGS = ['first', 'resolved', 'quiet'] as const

/** Errors that are quiet for longer begin a new episode. */
export const QUIET_WINDOW_US = 7 * DAY_US
