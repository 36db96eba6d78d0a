import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { counted } from '@tidemark/wire/text/counted'
import { type AnalysisAction, analysesKey, assignAnalyses, changeAnalyses } from '../../api/analyses.ts'
import { undoOf } from '../../marks/analysis-action.ts'
import { useToast } from '../../ui/toast.tsx'

const DONE: Record<AnalysisAction, string> = { resolve: 'Resolved', ignore: 'Ignored', reopen: 'Reopened' }

/** Resolves, ignores, reopens or assigns many, says so, and offers to undo what can be undone. */
export function useChangeAnalyses(projectId: string, chosen: readonly AnalysisItem[], onDone: () => void) {
  const queryClient = useQueryClient()
  const say = useToast()
  const refresh = () => queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
  const ids = chosen.map(({ id }) => id)
  const what = counted(chosen.length, 'analysis', 'analyses')

  const change = useMutation({
    mutationFn: (action: AnalysisAction) => changeAnalyses(projectId, ids, action),
    onSuccess: (_, action) => {
      const undone = undoing(action, chosen)
      say(`${DONE[action]} ${what}`, {
        label: 'Undo',
        run: () => {
          Promise.all([...undone].map(([back, some]) => changeAnalyses(projectId, some, back)))
            .then(refresh)
            .then(
              () => say('Undone'),
              (error: Error) => say(`Not undone: ${error.message}`),
            )
        },
      })
      onDone()
      return refresh()
    },
  })
  const assign = useMutation({
    mutationFn: ({ personId }: { personId: string | null; name: string }) => assignAnalyses(projectId, ids, personId),
    onSuccess: (_, { personId, name }) => {
      say(personId === null ? `Assigned ${what} to nobody` : `Assigned ${what} to ${name}`)
      onDone()
      return refresh()
    },
  })
  return { change, assign }
}

/** They may have been in different states: each goes back to its own. */
export function undoing(
  action: AnalysisAction,
  chosen: readonly Pick<AnalysisItem, 'id' | 'state'>[],
): Map<AnalysisAction, string[]> {
  const back = new Map<AnalysisAction, string[]>()
  for (const { id, state } of chosen) {
    const undo = undoOf(action, state)
    back.set(undo, [...(back.get(undo) ?? []), id])
  }
  return back
}
