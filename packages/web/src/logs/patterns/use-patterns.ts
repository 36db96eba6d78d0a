/** The patterns of the search, in the order asked for, with what they are compared with. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { comparisonOf } from '@tidemark/wire/dashboard/logs-question'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { useMemo } from 'react'
import { patternsQuery } from '../../api/logs.ts'
import type { LogsAddress } from '../logs-address.ts'
import { patternsInputOf } from './comparison.ts'
import { deployMarks } from './deploy-marks.ts'
import { inOrder, sortOf } from './pattern-order.ts'

const NO_DEPLOYS: readonly DeployRow[] = []

type Options = { asked: number; histogram: UseQueryResult<CountAnswer> }

export function usePatterns(address: LogsAddress, { asked, histogram }: Options) {
  const { projectId, filter, isReadable, search } = address
  const isShown = search.view === 'patterns'
  const comparison = useMemo(() => comparisonOf(search.compare), [search.compare])
  const window = histogram.isPlaceholderData ? undefined : histogram.data?.window
  const input = isShown && isReadable ? patternsInputOf(filter, comparison, window) : undefined
  const found = useQuery(patternsQuery(projectId, input, asked))
  const answer = isShown && isReadable ? found.data : undefined
  const sort = sortOf(search.sort, comparison.kind !== 'off')
  const rows = useMemo(() => inOrder(answer?.patterns ?? [], sort), [answer, sort])
  const deploys = histogram.data?.deploys ?? NO_DEPLOYS
  const marks = useMemo(() => (answer ? deployMarks(deploys, answer) : []), [answer, deploys])
  const isWaiting = input === undefined
  return {
    comparison,
    sort,
    found,
    /** Stays while the next is fetched. */
    answer,
    /** The same, only as long as it is the answer to what is asked now. */
    fresh: found.isPlaceholderData ? undefined : answer,
    isBusy: found.isFetching || (isWaiting && histogram.isFetching),
    error: found.error ?? (isWaiting ? histogram.error : null),
    retry: isWaiting ? histogram.refetch : found.refetch,
    rows,
    openRow: rows.find(({ id }) => id === search.pattern),
    deploys,
    marks,
  }
}

export type PatternsState = ReturnType<typeof usePatterns>
