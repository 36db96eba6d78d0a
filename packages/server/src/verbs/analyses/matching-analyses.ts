import type { MatchingAnalysesAnswer, MatchingAnalysesInput } from '@tidemark/wire/analyses/analysis'
import { ANALYSIS_STATES, OPEN_STATES } from '@tidemark/wire/analyses/analysis-state'
import { MAX_CHOSEN } from '@tidemark/wire/limits'
import { stateOf } from '../../model/analysis.ts'
import type { Caller } from '../../model/caller.ts'
import { requireReader } from '../access.ts'
import type { ReadingParts } from '../reading/reading-parts.ts'
import { wantedOf } from './list-analyses.ts'
import { listWanted } from './list-analyses-page.ts'

/** Which analyses a list is of, on all of its pages, to choose them all: without what each page finds out about its own. */
export async function matchingAnalyses(
  parts: ReadingParts,
  caller: Caller,
  input: MatchingAnalysesInput,
  signal?: AbortSignal,
): Promise<MatchingAnalysesAnswer> {
  const { id } = requireReader(caller)
  const nowUs = parts.now() * 1_000
  const { filter } = await wantedOf(parts, requireReader(caller), input, undefined, signal)
  const [found, states] = await Promise.all([
    listWanted(parts, id, { ...filter, sort: 'lastSeen', limit: MAX_CHOSEN }, nowUs),
    parts.control.analyses.countByState(id, { ...filter, state: undefined, sort: 'lastSeen', limit: 1 }, nowUs),
  ])
  const listed = filter.ids === undefined ? OPEN_STATES : ANALYSIS_STATES
  const asked = input.state === undefined ? listed : [input.state]
  return {
    analyses: found.map((analysis) => ({ id: analysis.id, state: stateOf(analysis, nowUs) })),
    total: asked.reduce((sum, state) => sum + states[state], 0),
  }
}
