import type { AnalysisDetail, SummarySentence } from '@tidemark/wire/analysis'

/** A sentence about the occurrences that names no records to look at is the one that says they could not be read. */
export const isUnread = ({ evidence, query }: SummarySentence): boolean => evidence === 'occurrences' && query === null

/** The log store did not answer, so what looks empty here may not be. */
export const isIncomplete = ({ sentences }: AnalysisDetail): boolean => sentences.some(isUnread)
