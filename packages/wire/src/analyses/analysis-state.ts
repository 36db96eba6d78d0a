/** The states of analyses and what begins an episode, as plain lists: the browser loads them without the schemas. */

export const ANALYSIS_STATES = ['new', 'ongoing', 'regressed', 'resolved', 'ignored'] as const

export type AnalysisState = (typeof ANALYSIS_STATES)[number]

/** Somebody still has to look at these. The most urgent first. */
export const OPEN_STATES = ['new', 'regressed', 'ongoing'] as const satisfies readonly AnalysisState[]

/** The first error, one after a resolve, one after a quiet window. */
export const EPISODE_BEGINNINGS = ['first', 'resolved', 'quiet'] as const
