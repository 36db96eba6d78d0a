/** Everything the list of analyses shows is in the address; this reads it and changes it. */
import { getRouteApi } from '@tanstack/react-router'
import type { AnalysisSort } from '@tidemark/wire/analyses/analysis'
import type { AnalysisState } from '@tidemark/wire/analyses/analysis-state'
import { ANALYSES_DEFAULT_FROM } from '@tidemark/wire/dashboard/address'
import type { AnalysesSearch, ProjectSearch } from '@tidemark/wire/dashboard/search'
import { useMemo } from 'react'
import type { AnalysisFilter } from '../../api/analyses.ts'
import { STATE_LOOK } from '../../marks/analysis-state.tsx'

export const SORTS: readonly { value: AnalysisSort; label: string }[] = [
  { value: 'rank', label: 'Most urgent' },
  { value: 'lastSeen', label: 'Last seen' },
  { value: 'firstSeen', label: 'First seen' },
  { value: 'count', label: 'Most errors in all' },
]

const route = getRouteApi('/signed-in/projects/$projectId/analyses')

export type AnalysesAddress = {
  projectId: string
  search: AnalysesSearch & ProjectSearch
  /** Undefined: whatever is open. */
  state: AnalysisState | undefined
  sort: AnalysisSort
  filter: AnalysisFilter
  change: (change: Partial<AnalysesSearch & ProjectSearch>, options?: { replace?: boolean }) => void
}

export function useAnalysesAddress(): AnalysesAddress {
  const { projectId } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  return useMemo(() => {
    const { environment, from, to, query, service, introducedBy } = search
    const state = stateOf(search.state)
    const sort = sortOf(search.sort)
    // A deploy has one environment and its own time: the service knows both.
    const place =
      introducedBy === undefined ? { environment, from: from ?? ANALYSES_DEFAULT_FROM, to } : { introducedBy, from, to }
    return {
      projectId,
      search,
      state,
      sort,
      filter: { ...place, query, service, state, sort },
      change: (changes, { replace = false } = {}) => {
        navigate({ to: '.', search: (before) => ({ ...before, ...changes }), replace })
      },
    }
  }, [projectId, search, navigate])
}

/** An address is typed by people: what is misspelled counts as not given. */
export function stateOf(text: string | undefined): AnalysisState | undefined {
  return (Object.keys(STATE_LOOK) as AnalysisState[]).find((state) => state === text)
}

export function sortOf(text: string | undefined): AnalysisSort {
  return SORTS.find(({ value }) => value === text)?.value ?? 'rank'
}
