import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { GroupingRuleView } from '@tidemark/wire/analyses/analysis'
import { counted } from '@tidemark/wire/text/counted'
import { useId, useState } from 'react'
import { analysesKey } from '../../api/analyses.ts'
import { groupingRulesQuery, removeGroupingRule } from '../../api/grouping-rules.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { IgnoreRuleForm } from './ignore-rule-form.tsx'

const KINDS: Record<GroupingRuleView['kind'], string> = { merge: 'Merge', split: 'Split', ignore: 'Ignore' }

export function GroupingSection({ projectId }: { projectId: string }) {
  const { data, error, isPending, refetch } = useQuery(groupingRulesQuery(projectId))
  const [removing, setRemoving] = useState<GroupingRuleView>()
  if (isPending) return <SkeletonRows />
  if (error) return <Problem error={error} onRetry={refetch} />
  return (
    <div className="flex flex-col gap-10">
      <section>
        <SectionHeading
          title="Grouping rules"
          about="Similar errors become one analysis by themselves. Where that brings together too much or too little, open the analysis and merge or split it: the rule then appears here."
        />
        {data.rules.length === 0 ? (
          <EmptyPart>
            There are no rules yet. Errors are grouped by their exception and the program's own frames, or by their
            message.
          </EmptyPart>
        ) : (
          <Table label="Grouping rules" head={['Rule', 'What it does', 'Created', '']}>
            {data.rules.map((rule) => (
              <Row key={rule.id}>
                <Cell>
                  <Badge>{KINDS[rule.kind]}</Badge>
                </Cell>
                <Cell className="sm:min-w-64 sm:!whitespace-normal [overflow-wrap:anywhere]">
                  {plainLine(rule.description)}
                </Cell>
                <Cell className="text-muted">
                  <TimeAgo at={rule.createdAt} />
                  {` by ${plainLine(rule.createdBy)}`}
                </Cell>
                <Cell className="sm:text-right">
                  <Button
                    look="danger"
                    onClick={() => setRemoving(rule)}
                    aria-label={`Remove: ${plainLine(rule.description)}`}
                  >
                    Remove
                  </Button>
                </Cell>
              </Row>
            ))}
          </Table>
        )}
      </section>
      <IgnoreRuleForm projectId={projectId} />
      {removing && <RemoveRule projectId={projectId} rule={removing} onClose={() => setRemoving(undefined)} />}
    </div>
  )
}

type RemoveProps = { projectId: string; rule: GroupingRuleView; onClose: () => void }

function RemoveRule({ projectId, rule, onClose }: RemoveProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [restores, setRestores] = useState(false)
  const ignored = rule.ignored ?? 0
  const removal = useMutation({
    mutationFn: () => removeGroupingRule(projectId, rule.id, { restore: restores }),
    onSuccess: async (removed) => {
      await queryClient.invalidateQueries({ queryKey: groupingRulesQuery(projectId).queryKey })
      queryClient.invalidateQueries({ queryKey: analysesKey(projectId) })
      say(removed ? `Rule removed, ${analyses(removed.restored)} put back` : 'Rule removed')
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title="Remove this rule?"
      action="Remove"
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    >
      <p className="[overflow-wrap:anywhere] text-text">{plainLine(rule.description)}</p>
      <p className="mt-2">{afterwards(rule)}</p>
      {ignored > 0 && <PutBack ignored={ignored} isChosen={restores} onChange={setRestores} />}
    </Confirm>
  )
}

function afterwards({ kind, ignored }: GroupingRuleView): string {
  if (kind !== 'ignore') return 'New errors are grouped as if it had never existed.'
  return `New analyses no longer start ignored.${ignored ? '' : ' Those that it ignored stay ignored.'}`
}

type PutBackProps = { ignored: number; isChosen: boolean; onChange: (isChosen: boolean) => void }

function PutBack({ ignored, isChosen, onChange }: PutBackProps) {
  const id = useId()
  return (
    <div className="mt-3">
      <label className="flex min-h-6 items-center gap-2 text-text">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={(event) => onChange(event.target.checked)}
          aria-describedby={id}
        />
        {`Put back the ${analyses(ignored)} that it ignored`}
      </label>
      <p id={id} className="mt-1 text-small">
        Each has the state again that it had before. What somebody has changed since stays as it is, and what another
        rule ignores stays ignored.
      </p>
    </div>
  )
}

const analyses = (count: number) => counted(count, 'analysis', 'analyses')
