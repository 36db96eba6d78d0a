/** Where to see the records behind something: the address of the logs page, in a window that certainly holds them. */

import type { AnalysisDetail } from '@tidemark/wire/analyses/analysis'
import type { Standout } from '@tidemark/wire/analyses/cause'
import { addTerm, type TermEdit } from '@tidemark/wire/query/edit'
import { fieldNamed } from '@tidemark/wire/query/fields'

/** Windows do not include their end. */
const PAST_END_MS = 1_000

type RecordsSearch = { query?: string; environment: string; from: string; to: string }

export function recordsSearch(analysis: AnalysisDetail, term?: TermEdit): RecordsSearch {
  const { recordsQuery, environment, firstSeen, lastSeen } = analysis
  return {
    query: term ? addTerm(recordsQuery, term) : recordsQuery,
    environment,
    from: firstSeen,
    to: new Date(Date.parse(lastSeen) + PAST_END_MS).toISOString(),
  }
}

/** The errors of the current episode that have a value. */
export function standoutSearch(analysis: AnalysisDetail, { query }: Pick<Standout, 'query'>): RecordsSearch {
  return { ...recordsSearch(analysis), query, from: analysis.course.onset }
}

/** Records whose stack names the file of a frame, of this analysis or another: where else does it fail? */
export function frameSearch(analysis: AnalysisDetail, { file }: { file: string }): RecordsSearch {
  return { ...recordsSearch(analysis), query: addTerm('', { field: fieldNamed('error.stack'), value: file }) }
}
