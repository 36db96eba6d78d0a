/** What is asked of the records when changes are looked for. */
import type { Expression } from '@tidemark/wire/query/ast'
import type { ProjectLogs } from '../../logstore/log-store.ts'
import type { Deploy } from '../../model/deploy.ts'
import type { TimeRange } from '../../model/time-range.ts'
import type { ChangeWindow } from './change-window.ts'

export type RecordQuestion = {
  window: ChangeWindow
  /** Null: all of them. */
  environment: string | null
  deploys: readonly Deploy[]
  signal: AbortSignal | undefined
}

/** `range`: the records of the window, as far as they are kept. */
export type AskedRecords = RecordQuestion & {
  logs: ProjectLogs
  range: TimeRange
  filter: { root: Expression | null }
}
