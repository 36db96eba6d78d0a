import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertRuleView, AlertsAnswer } from '@tidemark/wire/alerts/alert'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { alertsQuery, changeRule, removeRule } from '../../api/alerts.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { placeWords, reasonWords } from './alert-words.ts'
import { Actions, Removal } from './change-and-remove.tsx'
import { RuleDialog } from './rule-dialog.tsx'

const ABOUT = 'What you are notified about, and through which channels. Each problem is reported once while it lasts.'

type RuleListProps = { projectId: string; alerts: AlertsAnswer; isOwner: boolean }

export function RuleList({ projectId, alerts: { rules, channels }, isOwner }: RuleListProps) {
  /** Null for a new one. */
  const [editing, setEditing] = useState<AlertRuleView | null>()
  const [removing, setRemoving] = useState<AlertRuleView>()
  const nameOf = (id: string) => plainLine(channels.find((channel) => channel.id === id)?.name ?? id)
  const canAdd = isOwner && channels.length > 0
  return (
    <section aria-labelledby="alert-rules">
      <SectionHeading
        title="Alerts"
        id="alert-rules"
        about={isOwner ? ABOUT : `${ABOUT} Only owners can change it.`}
        action={
          canAdd && (
            <Button look="primary" icon={<Plus size={14} aria-hidden="true" />} onClick={() => setEditing(null)}>
              Add rule
            </Button>
          )
        }
      />
      {rules.length === 0 ? (
        <EmptyPart>
          {channels.length === 0
            ? 'Nobody is notified yet. Add a channel first: a webhook, Slack or e-mail.'
            : 'There are no rules yet, so the channels get nothing.'}
        </EmptyPart>
      ) : (
        <Table label="Alert rules" head={['Rule', 'State', 'Notifies about', 'Where', 'Channels', '']}>
          {rules.map((rule) => (
            <Row key={rule.id} isFaded={!rule.isOn}>
              <Cell className="font-medium sm:max-w-48 sm:truncate">{plainLine(rule.name)}</Cell>
              <Cell>
                <Badge tone={rule.isOn ? 'good' : 'neutral'}>{rule.isOn ? 'On' : 'Off'}</Badge>
              </Cell>
              <Cell className="sm:min-w-48 sm:!whitespace-normal [overflow-wrap:anywhere]">{reasonWords(rule)}</Cell>
              <Cell className="sm:max-w-40 sm:truncate">{placeWords(rule)}</Cell>
              <Cell className="sm:max-w-40 sm:truncate">{rule.channelIds.map(nameOf).join(', ')}</Cell>
              <Cell className="sm:text-right">
                {isOwner && (
                  <RuleActions
                    projectId={projectId}
                    rule={rule}
                    onChange={() => setEditing(rule)}
                    onRemove={() => setRemoving(rule)}
                  />
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {editing !== undefined && (
        <RuleDialog
          projectId={projectId}
          rule={editing ?? undefined}
          channels={channels}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && (
        <Removal
          projectId={projectId}
          name={removing.name}
          remove={() => removeRule(projectId, removing.id)}
          done="Rule removed"
          onClose={() => setRemoving(undefined)}
        >
          It sends nothing more. What is queued is still sent.
        </Removal>
      )}
    </section>
  )
}

type ActionsProps = { projectId: string; rule: AlertRuleView; onChange: () => void; onRemove: () => void }

function RuleActions({ projectId, rule, onChange, onRemove }: ActionsProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const switching = useMutation({
    mutationFn: () => changeRule(projectId, rule.id, { isOn: !rule.isOn }),
    onError: (error) => say(error.message),
    onSettled: () => queryClient.invalidateQueries({ queryKey: alertsQuery(projectId).queryKey }),
  })
  const name = plainLine(rule.name)
  const verb = rule.isOn ? 'Switch off' : 'Switch on'
  return (
    <Actions name={name} onChange={onChange} onRemove={onRemove}>
      <Button
        onClick={() => switching.mutate()}
        isBusy={switching.isPending}
        aria-label={`${verb} ${name}`}
        className="min-w-20"
      >
        {verb}
      </Button>
    </Actions>
  )
}
