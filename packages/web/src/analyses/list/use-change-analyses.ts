import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { counted } from '@tidemark/wire/text/counted'
import { useState } from 'react'
import { type AnalysisAction, analysesKey, assignAnalyses, changeAnalyses } from '../../api/analyses.ts'
import { undoOf } from '../../marks/analysis-action.ts'
import { useToast } from '../../ui/toast.tsx'
import { inBatches } from './in-batches.ts'

const DONE: Record<AnalysisAction, string> = { resolve: 'Resolved', ignore: 'Ignored', reopen: 'Reopened' }

export type Chosen = Pick<AnalysisItem, 'id' | 'state'>

/**
 * Resolves, ignores, reopens or assigns many, says so, and offers to undo what can be undone. `onDone` gets those that were
 * changed: all of them, or what was done before something failed.
 */
export function useChangeAnalyses(projectId: string, chosen: readonly Chosen[], onDone: (ids: string[]) => void) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [progress, setProgress] = useState(0)
  const refresh = () => queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })

  const run = async (change: (ids: readonly string[]) => Promise<unknown>, told: (done: Chosen[]) => void) => {
    setProgress(0)
    const ids = chosen.map(({ id }) => id)
    const { done, error } = await inBatches(ids, change, setProgress)
    if (done.length > 0) {
      const changed = new Set(done)
      told(chosen.filter(({ id }) => changed.has(id)))
      onDone(done)
      refresh()
    }
    if (error) throw error
  }
  const undo = async (action: AnalysisAction, done: readonly Chosen[]) => {
    for (const [back, ids] of undoing(action, done)) {
      const { error } = await inBatches(ids, (some) => changeAnalyses(projectId, some, back))
      if (error) return say(`Not undone: ${error.message}`)
    }
    say('Undone')
  }

  const change = useMutation({
    mutationFn: (action: AnalysisAction) =>
      run(
        (ids) => changeAnalyses(projectId, ids, action),
        (done) =>
          say(`${DONE[action]} ${analyses(done)}`, {
            label: 'Undo',
            run: () => {
              undo(action, done).finally(refresh)
            },
          }),
      ),
  })
  const assign = useMutation({
    mutationFn: ({ personId, name }: { personId: string | null; name: string }) =>
      run(
        (ids) => assignAnalyses(projectId, ids, personId),
        (done) => say(`Assigned ${analyses(done)} to ${personId === null ? 'nobody' : name}`),
      ),
  })
  return { change, assign, progress }
}

const analyses = (done: readonly Chosen[]) => counted(done.length, 'analysis', 'analyses')

/** They may have been in different states: each goes back to its own. */
export function undoing(action: AnalysisAction, chosen: readonly Chosen[]): Map<AnalysisAction, string[]> {
  const back = new Map<AnalysisAction, string[]>()
  for (const { id, state } of chosen) {
    const undo = undoOf(action, state)
    back.set(undo, [...(back.get(undo) ?? []), id])
  }
  return back
}
