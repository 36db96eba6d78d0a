import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnalysisState } from '@tidemark/wire/analyses/analysis-state'
import { type AnalysisAction, analysesKey, analysisQuery, changeAnalysis } from '../../api/analyses.ts'
import { undoOf } from '../../marks/analysis-action.ts'
import { useToast } from '../../ui/toast.tsx'

const DONE: Record<AnalysisAction, string> = {
  resolve: 'Resolved. It reopens as regressed if it happens again.',
  ignore: 'Ignored. New errors of this kind no longer ask for attention.',
  reopen: 'Reopened',
}

/** Resolves, ignores or reopens, says so, and offers to undo it. */
export function useChangeAnalysis(projectId: string, id: string, state: AnalysisState) {
  const queryClient = useQueryClient()
  const say = useToast()
  const settle = async (action: AnalysisAction) => {
    const answer = await changeAnalysis(projectId, id, action)
    queryClient.setQueryData(analysisQuery(projectId, id).queryKey, answer)
    await queryClient.invalidateQueries({
      queryKey: analysesKey(projectId),
      predicate: ({ queryKey }) => queryKey[3] !== 'whole',
    })
  }
  return useMutation({
    mutationFn: settle,
    onSuccess: (_, action) => {
      const undo = undoOf(action, state)
      say(DONE[action], {
        label: 'Undo',
        run: () => {
          settle(undo).then(
            () => say('Undone'),
            (error: Error) => say(`Not undone: ${error.message}`),
          )
        },
      })
    },
  })
}
