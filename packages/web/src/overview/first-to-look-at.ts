import { OVERVIEW_LISTS, spikeWord } from '@tidemark/wire/analyses/analysis-state'
import { worstOf } from '@tidemark/wire/analyses/most-pressing'
import type { OverviewAnalysis, OverviewAnswer } from '@tidemark/wire/reading/overview'

type Lists = Pick<OverviewAnswer, (typeof OVERVIEW_LISTS)[number] | 'window' | 'trendFrom' | 'trendSeconds'>

/** The worst of what is wrong: the headline names it, and it leads the list. What spiked and is quiet is neither. */
export function firstToLookAt(overview: Lists): OverviewAnalysis | undefined {
  const listed = OVERVIEW_LISTS.flatMap((list) => overview[list])
  return worstOf(
    listed.filter((one) => one.state !== 'ongoing' || spikeWord(one) === 'spiking'),
    overview,
  )
}

/** In the order of the lists, the most urgent of each. */
export function needingALook(overview: Lists, ofAKind: number): OverviewAnalysis[] {
  const first = firstToLookAt(overview)
  const listed = OVERVIEW_LISTS.flatMap((list) => overview[list].slice(0, ofAKind))
  return [...new Set(first === undefined ? listed : [first, ...listed])]
}
