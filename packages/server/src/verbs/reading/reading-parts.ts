import type { CommitFound } from '../../analysis/cause/correlate.ts'
import type { Control } from '../../control/open.ts'
import type { LogStore } from '../../logstore/log-store.ts'
import type { ProjectId } from '../../model/project.ts'
import type { Cursors } from './cursor.ts'

/** What the reading verbs work with. */
export type ReadingParts = {
  control: Pick<Control, 'deploys' | 'analyses' | 'groupingRules' | 'repositories'> & {
    accounts: Pick<Control['accounts'], 'names'>
    audit: Pick<Control['audit'], 'append'>
  }
  logStore: Pick<LogStore, 'project'>
  /** The default branch's commit at a time. */
  commitAt: (projectId: ProjectId, atUs: number) => Promise<CommitFound>
  cursors: Cursors
  publicUrl: string
  /** Milliseconds since 1970. */
  now: () => number
  /** Between two questions of a tail. Ends early when the signal aborts. */
  pause?: (ms: number, signal: AbortSignal) => Promise<void>
}
