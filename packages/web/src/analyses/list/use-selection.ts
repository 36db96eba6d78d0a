/** Which analyses are chosen: rows that are shown, or everything that matches, on whatever page. */
import { useMutation } from '@tanstack/react-query'
import type { AnalysesAnswer, AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { ANALYSIS_STATES, OPEN_STATES } from '@tidemark/wire/analyses/analysis-state'
import { useCallback, useEffect, useMemo, useState } from 'react'
import { type AnalysisFilter, matchingAnalyses } from '../../api/analyses.ts'
import { allToggled, NOTHING, onlyOf, toggled } from './selection.ts'
import type { Chosen } from './use-change-analyses.ts'

type Listed = {
  projectId: string
  filter: AnalysisFilter
  first: AnalysesAnswer | undefined
  rows: readonly AnalysisItem[]
}

export function useSelection({ projectId, filter, first, rows }: Listed) {
  const [asked, setSelection] = useState(NOTHING)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  const {
    data: found,
    mutate,
    reset,
    isPending,
    error,
  } = useMutation({
    // In the window that the list shows, and not in one of a later moment.
    mutationFn: () => matchingAnalyses(projectId, { ...filter, from: first?.window.from, to: first?.window.to }),
    onSuccess: () => setChanged(new Set()),
  })
  const selection = onlyOf(asked, ids)
  const shown = rows.filter(({ id }) => selection.ids.has(id))
  const chosen: readonly Chosen[] = found ? found.analyses.filter(({ id }) => !changed.has(id)) : shown
  const chosenIds = useMemo(
    () => (found ? new Set(found.analyses.map(({ id }) => id)) : selection.ids),
    [found, selection.ids],
  )
  const total = matchingCount(first?.states ?? {}, filter)
  const isAllShown = rows.length > 0 && rows.every(({ id }) => chosenIds.has(id))

  const clear = useCallback(() => {
    setSelection(NOTHING)
    reset()
  }, [reset])
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list has other rows
  useEffect(clear, [filter])
  const isEverything = found !== undefined
  /** Leaving one of everything leaves the rows that are shown, without it. */
  const choose = useCallback(
    (id: string, isRange: boolean) => {
      setSelection((before) => toggled(isEverything ? allToggled(NOTHING, ids) : before, ids, { id, isRange }))
      reset()
    },
    [ids, isEverything, reset],
  )
  const toggleShown = () => {
    if (isEverything) clear()
    else setSelection((before) => allToggled(onlyOf(before, ids), ids))
  }
  const isMore = !isEverything && isAllShown && total > rows.length
  return {
    chosen,
    /** Of the rows that are shown. */
    chosenIds,
    isAllShown,
    isEverything,
    total: found?.total ?? total,
    choose,
    clear,
    toggleShown,
    /** What is shown, then everything that matches, then nothing. */
    next: () => (isMore ? mutate() : toggleShown()),
    everything: { isOffered: isMore, isPending, error, choose: () => mutate() },
    /** What was changed is chosen no more; the rest is, so that it can be tried again. */
    leave: (done: readonly string[]) => {
      if (done.length === chosen.length) return clear()
      setChanged((before) => new Set([...before, ...done]))
      setSelection((before) =>
        onlyOf(
          before,
          [...before.ids].filter((id) => !done.includes(id)),
        ),
      )
    },
  }
}

export type AnalysesSelection = ReturnType<typeof useSelection>

/** How many match, as the list counts them: without a state those that are open, for a deploy all. */
export function matchingCount(states: Record<string, number>, { state, introducedBy }: AnalysisFilter): number {
  const listed = introducedBy === undefined ? OPEN_STATES : ANALYSIS_STATES
  const wanted: readonly string[] = state === undefined ? listed : [state]
  return wanted.reduce((sum, one) => sum + (states[one] ?? 0), 0)
}
