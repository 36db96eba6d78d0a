import { useMutation, useQueryClient } from '@tanstack/react-query'
import { counted } from '@tidemark/wire/text/counted'
import { analysesKey } from '../api/analyses.ts'
import { addGroupingRule, groupingRulesQuery, type IgnoringRule, removeGroupingRule } from '../api/grouping-rules.ts'
import { useToast } from '../ui/toast.tsx'

/** Adds a rule that ignores, says how many it has ignored, and offers to undo it: without the rule they are as before. */
export function useIgnoreByRule(projectId: string, onDone: () => void) {
  const queryClient = useQueryClient()
  const say = useToast()
  const refresh = async () => {
    queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
    await queryClient.invalidateQueries({ queryKey: groupingRulesQuery(projectId).queryKey })
  }
  return useMutation({
    mutationFn: (rule: IgnoringRule) => addGroupingRule(projectId, { kind: 'ignore', ...rule }),
    onSuccess: async ({ id, ignored = 0 }) => {
      await refresh()
      say(ignoredWords(ignored), {
        label: 'Undo',
        run: () => {
          removeGroupingRule(projectId, id, { restore: true })
            .then(
              () => say('Undone'),
              (error: Error) => say(`Not undone: ${error.message}`),
            )
            .finally(refresh)
        },
      })
      onDone()
    },
  })
}

function ignoredWords(ignored: number): string {
  if (ignored === 0) return 'Rule added. New errors like these start ignored.'
  return `Ignored ${counted(ignored, 'analysis', 'analyses')}. New ones like ${ignored === 1 ? 'it' : 'them'} start ignored.`
}
