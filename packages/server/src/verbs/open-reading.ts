import type { LogStore } from '../logstore/log-store.ts'
import { getAnalysis } from './analyses/get-analysis.ts'
import { listAnalyses } from './analyses/list-analyses.ts'
import { countLogs } from './reading/count-logs.ts'
import { createCursors } from './reading/cursor.ts'
import { describeProject } from './reading/describe-project.ts'
import { exportLogs } from './reading/export-logs.ts'
import { getLogContext } from './reading/get-log-context.ts'
import { listDeploys } from './reading/list-deploys.ts'
import { listFields } from './reading/list-fields.ts'
import type { Reading } from './reading/reading.ts'
import type { ReadingParts } from './reading/reading-parts.ts'
import { searchLogs } from './reading/search-logs.ts'
import { shortenSearch } from './reading/shorten-search.ts'
import { tailLogs } from './reading/tail-logs.ts'

export type ReadingOptions = {
  control: ReadingParts['control']
  logStore: Pick<LogStore, 'project'>
  /** Without it there is no repository, and nothing is inferred from one. */
  commitAt?: ReadingParts['commitAt']
  /** Signs cursors: all nodes of an instance have the same. */
  secretKey: string
  publicUrl: string
  now?: () => number
}

export function openReading({
  control,
  logStore,
  commitAt = async () => null,
  secretKey,
  publicUrl,
  now = Date.now,
}: ReadingOptions): Reading {
  const parts: ReadingParts = { control, logStore, commitAt, cursors: createCursors(secretKey), publicUrl, now }
  return {
    searchLogs: (caller, input, signal) => searchLogs(parts, caller, input, signal),
    shortenSearch: (caller, input, answer, count) => shortenSearch(parts, caller, input, answer, count),
    countLogs: (caller, input, signal) => countLogs(parts, caller, input, signal),
    listFields: (caller, input, signal) => listFields(parts, caller, input, signal),
    getLogContext: (caller, input, signal) => getLogContext(parts, caller, input, signal),
    listDeploys: (caller, input) => listDeploys(parts, caller, input),
    listAnalyses: (caller, input, signal) => listAnalyses(parts, caller, input, signal),
    getAnalysis: (caller, input, signal) => getAnalysis(parts, caller, input, signal),
    describeProject: (caller, signal) => describeProject(parts, caller, signal),
    exportLogs: (caller, input, signal) => exportLogs(parts, caller, input, signal),
    tailLogs: (caller, input, signal) => tailLogs(parts, caller, input, signal),
  }
}
