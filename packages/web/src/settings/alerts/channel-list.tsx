import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { AlertsAnswer, ChannelView } from '@tidemark/wire/alerts/alert'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { alertsQuery, deliveriesQuery, removeChannel, testChannel } from '../../api/alerts.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { useToast } from '../../ui/toast.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { KINDS, quietWords } from './alert-words.ts'
import { ChannelDialog } from './channel-dialog.tsx'

type ChannelListProps = { projectId: string; alerts: AlertsAnswer; isOwner: boolean }

export function ChannelList({ projectId, alerts: { channels, canSendMail }, isOwner }: ChannelListProps) {
  /** Null for a new one. */
  const [editing, setEditing] = useState<ChannelView | null>()
  const [removing, setRemoving] = useState<ChannelView>()
  return (
    <section aria-labelledby="alert-channels">
      <SectionHeading
        title="Channels"
        id="alert-channels"
        about="Where messages go. In quiet hours they wait, and then come together."
        action={
          isOwner && (
            <Button look="primary" icon={<Plus size={14} aria-hidden="true" />} onClick={() => setEditing(null)}>
              Add channel
            </Button>
          )
        }
      />
      {channels.length === 0 ? (
        <p className="rounded-control border border-border bg-surface p-4 text-muted">No channels yet.</p>
      ) : (
        <Table label="Channels" head={['Channel', 'Kind', 'Address', 'Quiet hours', 'Per hour', '']}>
          {channels.map((channel) => (
            <Row key={channel.id}>
              <Cell className="font-medium sm:max-w-48 sm:truncate">{plainLine(channel.name)}</Cell>
              <Cell>
                <Badge>{KINDS[channel.kind]}</Badge>
              </Cell>
              <Cell className="sm:min-w-40 sm:!whitespace-normal [overflow-wrap:anywhere]">
                {plainLine(channel.address)}
              </Cell>
              <Cell className={channel.quietHours === null ? 'text-faint' : ''}>{quietWords(channel.quietHours)}</Cell>
              <Cell className="tabular-nums">{channel.messagesAnHour}</Cell>
              <Cell className="sm:text-right">
                {isOwner && (
                  <ChannelActions
                    projectId={projectId}
                    channel={channel}
                    onChange={() => setEditing(channel)}
                    onRemove={() => setRemoving(channel)}
                  />
                )}
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {editing !== undefined && (
        <ChannelDialog
          projectId={projectId}
          channel={editing ?? undefined}
          canSendMail={canSendMail}
          onClose={() => setEditing(undefined)}
        />
      )}
      {removing && <RemoveChannel projectId={projectId} channel={removing} onClose={() => setRemoving(undefined)} />}
    </section>
  )
}

type ActionsProps = { projectId: string; channel: ChannelView; onChange: () => void; onRemove: () => void }

function ChannelActions({ projectId, channel, onChange, onRemove }: ActionsProps) {
  const test = useMutation({ mutationFn: () => testChannel(projectId, channel.id) })
  const name = plainLine(channel.name)
  return (
    <span className="inline-flex flex-col sm:items-end">
      <span className="inline-flex gap-1 max-sm:flex-wrap">
        <Button onClick={() => test.mutate()} isBusy={test.isPending} aria-label={`Test ${name}`}>
          Test
        </Button>
        <Button onClick={onChange} aria-label={`Change ${name}`}>
          Change
        </Button>
        <Button look="danger" onClick={onRemove} aria-label={`Remove ${name}`}>
          Remove
        </Button>
      </span>
      <span role="status" className="max-w-72 text-small [overflow-wrap:anywhere] whitespace-normal">
        {test.data && (
          <span role="status" className={classNames('mt-1 block', test.data.isDelivered ? 'text-good' : 'text-bad')}>
            {test.data.isDelivered ? 'Delivered. ' : 'Not delivered. '}
            {plainLine(test.data.answer)}
          </span>
        )}
        {test.error && (
          <span role="alert" className="mt-1 block text-bad">
            {test.error.message}
          </span>
        )}
      </span>
    </span>
  )
}

function RemoveChannel({
  projectId,
  channel,
  onClose,
}: {
  projectId: string
  channel: ChannelView
  onClose: () => void
}) {
  const queryClient = useQueryClient()
  const say = useToast()
  const removal = useMutation({
    mutationFn: () => removeChannel(projectId, channel.id),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: alertsQuery(projectId).queryKey })
      queryClient.invalidateQueries({ queryKey: deliveriesQuery(projectId).queryKey })
      say('Channel removed')
      onClose()
    },
  })
  return (
    <Confirm
      isOpen
      onClose={onClose}
      title={`Remove ${plainLine(channel.name)}?`}
      action="Remove"
      isBusy={removal.isPending}
      error={removal.error}
      onConfirm={() => removal.mutate()}
    >
      Queued messages are not sent, and its deliveries are removed from the log. This can't be undone.
    </Confirm>
  )
}
