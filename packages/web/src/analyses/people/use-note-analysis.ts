import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnalysisAnswer } from '@tidemark/wire/analyses/analysis'
import { analysesKey, analysisQuery } from '../../api/analyses.ts'

/** What a person notes is answered with the whole analysis: shown at once, and fetched again by the lists. */
export function useNoteAnalysis<Input>(projectId: string, id: string, note: (input: Input) => Promise<AnalysisAnswer>) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: note,
    onSuccess: async (answer) => {
      queryClient.setQueryData(analysisQuery(projectId, id).queryKey, answer)
      await queryClient.invalidateQueries({
        queryKey: analysesKey(projectId),
        predicate: ({ queryKey }) => queryKey[3] !== 'whole',
      })
    },
  })
}
