import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AnalysisDetail, GroupingRuleInput } from '@tidemark/wire/analyses/analysis'
import { type FormEvent, useState } from 'react'
import { analysesKey } from '../../api/analyses.ts'
import { addGroupingRule, groupingRulesQuery } from '../../api/grouping-rules.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { SelectField } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'

type SplitBy = Extract<GroupingRuleInput, { kind: 'split' }>['by']

const WAYS: readonly { value: SplitBy; label: string; about: string }[] = [
  { value: 'service', label: 'Service', about: 'The same error in two services becomes two analyses.' },
  { value: 'logger', label: 'Logger', about: 'The same error from two loggers becomes two analyses.' },
  { value: 'host', label: 'Host', about: 'The same error on two machines becomes two analyses.' },
  { value: 'pattern', label: 'Message', about: 'Errors with different messages become different analyses.' },
]

type SplitProps = { projectId: string; analysis: AnalysisDetail; onClose: () => void }

/** Several kinds of error that were grouped as one. */
export function SplitDialog({ projectId, analysis, onClose }: SplitProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [by, setBy] = useState<SplitBy>('service')
  const split = useMutation({
    mutationFn: () => addGroupingRule(projectId, { kind: 'split', analysisId: analysis.id, by }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
      queryClient.invalidateQueries({ queryKey: groupingRulesQuery(projectId).queryKey })
      say('Split. The rule is in Settings, Grouping rules.')
      onClose()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    split.mutate()
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Split into several"
      description="New errors will be split. To undo, remove the rule in Settings."
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <SelectField
          label="Tell them apart by"
          options={WAYS}
          hint={WAYS.find(({ value }) => value === by)?.about}
          value={by}
          onChange={(event) => setBy(event.target.value as SplitBy)}
        />
        {split.error && <Problem error={split.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={split.isPending}>
            Split
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
