import type { AnalysesAnswer, AnalysesInput, AnalysisAnswer, AnalysisInput } from '@tidemark/wire/analysis'
import type {
  ContextAnswer,
  ContextInput,
  CountAnswer,
  CountInput,
  DeploysAnswer,
  DeploysInput,
  FieldsAnswer,
  FieldsInput,
  FilterInput,
  LogRow,
  ProjectAnswer,
  SearchAnswer,
  SearchInput,
} from '@tidemark/wire/reading'
import type { Caller } from '../../model/caller.ts'
import type { LogExport } from './export-logs.ts'

/**
 * What a caller with a read key can ask. One function each, shared by every door; the project is the caller's own and
 * cannot be named. A `signal` that aborts stops the query behind it.
 */
export type Reading = {
  searchLogs(caller: Caller, input: SearchInput, signal?: AbortSignal): Promise<SearchAnswer>
  /** The first rows of an answer to `input`, with a cursor that goes on behind them. Asks nothing of the log store. */
  shortenSearch(caller: Caller, input: SearchInput, answer: SearchAnswer, count: number): Promise<SearchAnswer>
  countLogs(caller: Caller, input: CountInput, signal?: AbortSignal): Promise<CountAnswer>
  listFields(caller: Caller, input: FieldsInput, signal?: AbortSignal): Promise<FieldsAnswer>
  getLogContext(caller: Caller, input: ContextInput, signal?: AbortSignal): Promise<ContextAnswer>
  listDeploys(caller: Caller, input: DeploysInput): Promise<DeploysAnswer>
  listAnalyses(caller: Caller, input: AnalysesInput, signal?: AbortSignal): Promise<AnalysesAnswer>
  /** What is known without the log store is answered also when that is away. */
  getAnalysis(caller: Caller, input: AnalysisInput, signal?: AbortSignal): Promise<AnalysisAnswer>
  describeProject(caller: Caller, signal?: AbortSignal): Promise<ProjectAnswer>
  /** All records of a search, newest first, page by page as they are read; bounded by the export limit. Written down. */
  exportLogs(caller: Caller, input: FilterInput, signal: AbortSignal): Promise<LogExport>
  /** Records as they become searchable, oldest first, until the signal aborts; `dropped` counts what was too many to send. */
  tailLogs(caller: Caller, input: FilterInput, signal: AbortSignal): AsyncIterable<{ rows: LogRow[]; dropped: number }>
}
