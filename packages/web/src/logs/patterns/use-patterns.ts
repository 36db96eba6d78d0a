/** The patterns of the search, in the order asked for, with what they are compared with. */
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { comparisonOf } from '@tidemark/wire/dashboard/logs-question'
import { isErrorLevel } from '@tidemark/wire/level'
import { MAX_GROUP_VALUES } from '@tidemark/wire/query/limits'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { PatternsAnswer } from '@tidemark/wire/reading/patterns'
import type { DeployRow, LogRow } from '@tidemark/wire/reading/row'
import { useMemo } from 'react'
import { patternsQuery, recordsQuery } from '../../api/logs.ts'
import { useLastRead } from '../last-read.ts'
import type { LogsAddress } from '../logs-address.ts'
import { patternsInputOf } from './comparison.ts'
import { deployMarks } from './deploy-marks.ts'
import { inOrder, sortOf } from './pattern-order.ts'

const NO_SAMPLES: ReadonlyMap<string, LogRow> = new Map()
const NO_DEPLOYS: readonly DeployRow[] = []

type Options = { asked: number; histogram: UseQueryResult<CountAnswer> }

export function usePatterns(address: LogsAddress, { asked, histogram }: Options) {
  const { projectId, filter, isReadable, search } = address
  const isShown = search.view === 'patterns'
  const comparison = useMemo(() => comparisonOf(search.compare), [search.compare])
  const window = histogram.isPlaceholderData ? undefined : histogram.data?.window
  const input = isShown && isReadable ? patternsInputOf(filter, comparison, window) : undefined
  const found = useQuery(patternsQuery(projectId, input, asked))
  const isWaiting = input === undefined
  const error = found.error ?? (isWaiting ? histogram.error : null)
  const isAsked = isShown && isReadable
  const hasFailed = isAsked && error !== null
  const answer = useLastRead(isAsked ? found.data : undefined, { isKept: hasFailed || !isReadable, of: projectId })
  const isOld = found.isPlaceholderData || hasFailed || !isReadable
  const sort = sortOf(search.sort, comparison.kind !== 'off')
  const rows = useMemo(() => inOrder(answer?.patterns ?? [], sort), [answer, sort])
  const samples = useQuery(errorSamplesOf(projectId, answer))
  const deploys = histogram.data?.deploys ?? NO_DEPLOYS
  const marks = useMemo(() => (answer ? deployMarks(deploys, answer) : []), [answer, deploys])
  return {
    comparison,
    sort,
    found,
    /** Stays while the next is fetched, and where that fails. */
    answer,
    /** The same, only as long as it is the answer to what is asked now. */
    fresh: isOld ? undefined : answer,
    isOld,
    isBusy: found.isFetching || (isWaiting && histogram.isFetching),
    error,
    retry: isWaiting ? histogram.refetch : found.refetch,
    rows,
    openRow: rows.find(({ id }) => id === search.pattern),
    /** The newest records of patterns that errors have, by the ids of the records. */
    samples: samples.data ?? NO_SAMPLES,
    deploys,
    marks,
  }
}

/** What is not an error has neither a type nor an analysis. Of very many only the first are looked at. */
function errorSamplesOf(projectId: string, answer: PatternsAnswer | undefined) {
  const ids = (answer?.patterns ?? [])
    .flatMap(({ levels, sampleId }) => (sampleId !== null && levels.some(isErrorLevel) ? [sampleId] : []))
    .slice(0, MAX_GROUP_VALUES)
  const from = answer?.baseWindow?.from ?? answer?.window.from ?? ''
  const asked = { environment: answer?.environment ?? undefined, from, to: answer?.window.to ?? '' }
  return { ...recordsQuery(projectId, ids, asked), enabled: ids.length > 0, placeholderData: keepPreviousData }
}

export type PatternsState = ReturnType<typeof usePatterns>
