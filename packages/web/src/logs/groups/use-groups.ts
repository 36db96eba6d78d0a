/** The groups of the search, in the order asked for. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import { useMemo } from 'react'
import { groupsQuery } from '../../api/logs.ts'
import { useLastRead } from '../last-read.ts'
import type { LogsAddress } from '../logs-address.ts'
import { type Group, groupingOf, groupsInputOf, inOrder } from './grouping.ts'

const NONE: readonly Group[] = []

export function useGroups(
  { projectId, filter, isReadable, search }: LogsAddress,
  { asked, histogram }: { asked: number; histogram: UseQueryResult<CountAnswer> },
) {
  const isShown = search.view === 'groups'
  const grouping = useMemo(() => groupingOf(search), [search])
  const window = histogram.isPlaceholderData ? undefined : histogram.data?.window
  const input = isShown && isReadable ? groupsInputOf(filter, grouping, window) : undefined
  const found = useQuery(groupsQuery(projectId, input, asked))
  // What was measured before says nothing about another measure: only the same question in another range stays.
  const isKept = found.isPlaceholderData && isSameQuestion(found.data, grouping.measure)
  const isWaiting = isShown && isReadable && window === undefined
  const error = found.error ?? (isWaiting ? histogram.error : null)
  const hasFailed = isShown && isReadable && error !== null
  const read = input !== undefined && (!found.isPlaceholderData || isKept) ? found.data : undefined
  const { field, measure, of } = grouping
  const answer = useLastRead(read, {
    isKept: hasFailed || isWaiting || !isReadable,
    of: JSON.stringify([projectId, field, measure, of]),
  })
  const isOld = found.isPlaceholderData || hasFailed || isWaiting || !isReadable
  const groups = useMemo(() => inOrder(answer?.groups ?? NONE, grouping.sort), [answer, grouping.sort])
  return {
    grouping,
    found,
    answer,
    fresh: isOld ? undefined : answer,
    isOld,
    groups,
    isBusy: found.isFetching || (isWaiting && histogram.isFetching),
    error,
    retry: isWaiting ? histogram.refetch : found.refetch,
  }
}

function isSameQuestion(answer: CountAnswer | undefined, measure: string): boolean {
  return answer !== undefined && (answer.measured === undefined) === (measure === 'count')
}

export type GroupsState = ReturnType<typeof useGroups>
