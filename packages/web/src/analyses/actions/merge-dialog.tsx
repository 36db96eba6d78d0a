import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AnalysisDetail, AnalysisItem } from '@tidemark/wire/analyses/analysis'
import { MAX_ANALYSES_QUERY_CHARACTERS } from '@tidemark/wire/limits'
import { counted } from '@tidemark/wire/text/counted'
import { type FormEvent, useDeferredValue, useId, useState } from 'react'
import { analysesKey, analysesQuery, QUERY_HINT } from '../../api/analyses.ts'
import { addGroupingRule, groupingRulesQuery } from '../../api/grouping-rules.ts'
import { StateMark } from '../../marks/analysis-state.tsx'
import { plainLine } from '../../text/plain-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { useToast } from '../../ui/toast.tsx'

/** Far enough back to find its twin. */
const LOOK_BACK = '-30d'

type MergeProps = { projectId: string; analysis: AnalysisDetail; onClose: () => void }

/** Two kinds of error that are one: this one is merged into the other, now and in future. */
export function MergeDialog({ projectId, analysis, onClose }: MergeProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const say = useToast()
  const [text, setText] = useState('')
  const [into, setInto] = useState<string>()
  const query = useDeferredValue(text.trim()) || undefined
  const found = useInfiniteQuery(
    analysesQuery(projectId, { environment: analysis.environment, from: LOOK_BACK, query }),
  )
  const others = (found.data?.pages[0]?.analyses ?? []).filter(({ id }) => id !== analysis.id)
  const merge = useMutation({
    mutationFn: (intoAnalysisId: string) =>
      addGroupingRule(projectId, { kind: 'merge', analysisId: analysis.id, intoAnalysisId }),
    onSuccess: async (_, intoAnalysisId) => {
      await navigate({
        to: '/projects/$projectId/analyses/$analysisId',
        params: { projectId, analysisId: intoAnalysisId },
      })
      queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
      queryClient.invalidateQueries({ queryKey: groupingRulesQuery(projectId).queryKey })
      say('Merged. The rule is in Settings, Grouping rules.')
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (into !== undefined) merge.mutate(into)
  }
  return (
    <Dialog
      isOpen
      onClose={onClose}
      width="wide"
      title="Merge into another analysis"
      description={`Errors of this kind will count there, in ${plainLine(analysis.environment)}. To undo, remove the rule in Settings.`}
    >
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="Search"
          placeholder={QUERY_HINT}
          value={text}
          maxLength={MAX_ANALYSES_QUERY_CHARACTERS}
          onChange={(event) => setText(event.target.value)}
        />
        {found.isPending && <SkeletonRows count={4} className="h-9" />}
        {found.error && <Problem error={found.error} onRetry={found.refetch} />}
        {found.isSuccess && others.length === 0 && (
          <p className="py-4 text-muted">No other analysis in this environment matches.</p>
        )}
        <Choices analyses={others} chosen={into} onChoose={setInto} />
        {merge.error && <Problem error={merge.error} />}
        <div className="flex justify-end gap-2">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isBusy={merge.isPending} disabled={into === undefined}>
            Merge
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

type ChoicesProps = {
  analyses: readonly AnalysisItem[]
  chosen: string | undefined
  onChoose: (id: string) => void
}

function Choices({ analyses, chosen, onChoose }: ChoicesProps) {
  const name = useId()
  if (analyses.length === 0) return null
  return (
    <fieldset className="max-h-72 min-w-0 overflow-y-auto rounded-control border border-border">
      <legend className="sr-only">Into</legend>
      {analyses.map(({ id, title, where, state, count }) => (
        <label
          key={id}
          className="flex min-h-9 pointer-coarse:min-h-control cursor-pointer items-center gap-3 border-b border-border px-3 py-1.5 last:border-0 hover:bg-hover"
        >
          <input type="radio" name={name} checked={id === chosen} onChange={() => onChoose(id)} />
          <span className="min-w-0 flex-1">
            <span className="block truncate font-mono text-small font-medium">{plainLine(title)}</span>
            {where !== '' && <span className="block truncate font-mono text-tiny text-muted">{plainLine(where)}</span>}
          </span>
          <StateMark state={state} />
          <span className="text-small text-muted tabular-nums max-sm:hidden">{counted(count, 'error')}</span>
        </label>
      ))}
    </fieldset>
  )
}
