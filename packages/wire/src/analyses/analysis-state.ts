/** The states of analyses and what begins an episode, without schemas, so that the browser may load it. */
import { DAY_US } from '../time/units.ts'

export const ANALYSIS_STATES = ['new', 'ongoing', 'regressed', 'resolved', 'ignored'] as const

export type AnalysisState = (typeof ANALYSIS_STATES)[number]

/** Somebody still has to look at these, in the order of the tabs. How urgent one is, the service decides. */
export const OPEN_STATES = ['new', 'regressed', 'ongoing'] as const satisfies readonly AnalysisState[]

/** The first error, one after a resolve, one after a quiet window. */
export const EPISODE_BEGINNINGS = ['first', 'resolved', 'quiet'] as const

/** Errors that are quiet for longer begin a new episode. */
export const QUIET_WINDOW_US = 7 * DAY_US
