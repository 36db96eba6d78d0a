import type { Control } from '../../control/open.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { MirrorKeeper } from '../../repository/mirror-keeper.ts'
import type { Cursors } from './cursor.ts'
import type { PatternTexts } from './patterns/pattern-texts.ts'

/** The repository of a project, as far as this node has copied it. */
export type ConnectedRepository = Pick<MirrorKeeper, 'mirrorOf' | 'refreshSoon'>

export const NO_REPOSITORY: ConnectedRepository = { mirrorOf: async () => ({ state: 'none' }), refreshSoon: () => {} }

/** Look-ups of the control store under way for one answer. The others wait. */
export const ASKED_AT_ONCE = 4

/** Environments that are looked at one by one where none was asked for: the ones with most records. */
export const MAX_ENVIRONMENTS = 5

/** What the reading verbs work with. */
export type ReadingParts = {
  control: Pick<Control, 'deploys' | 'analyses' | 'groupingRules' | 'repositories'> & {
    analysisNotes: Pick<Control['analysisNotes'], 'get' | 'of'>
    accounts: Pick<Control['accounts'], 'names'>
    audit: Pick<Control['audit'], 'append'>
  }
  logStore: Pick<LogStore, 'project'>
  repository: ConnectedRepository
  cursors: Cursors
  patternTexts: PatternTexts
  publicUrl: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Between two questions of a tail. Ends early when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}
