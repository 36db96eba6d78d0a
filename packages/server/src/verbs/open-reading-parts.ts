import type { Control } from '../control/open.ts'
import type { LogStore } from '../logstore/log-store.ts'
import type { Cursors } from './cursor.ts'

/** What the reading verbs work with. */
export type ReadingParts = {
  control: Pick<Control, 'deploys'>
  logStore: Pick<LogStore, 'project'>
  cursors: Cursors
  publicUrl: string
  /** Milliseconds since 1970. */
  now: () => number
}
