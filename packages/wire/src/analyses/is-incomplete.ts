/** How an analysis says that its records could not be read. No schema library, so that the browser may load it. */
import type { AnalysisDetail, SummarySentence } from './analysis.ts'

/** What the sentence that says so rests on: occurrences without records to look at. */
export const UNREAD = { evidence: 'occurrences', query: null, from: null, to: null } as const

export const isUnread = ({ evidence, query }: SummarySentence): boolean =>
  evidence === UNREAD.evidence && query === UNREAD.query

/** The log store did not answer, so what looks empty here may not be. */
export const isIncomplete = ({ sentences }: Pick<AnalysisDetail, 'sentences'>): boolean => sentences.some(isUnread)
