import { useMutation } from '@tanstack/react-query'
import type { AlertsAnswer, ChannelView } from '@tidemark/wire/alerts/alert'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { removeChannel, testChannel } from '../../api/alerts.ts'
import { plainLine } from '../../text/plain-text.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { EmptyPart } from '../../ui/empty.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { KINDS, quietWords } from './alert-words.ts'
import { Actions, Removal } from './change-and-remove.tsx'
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
            <Button
              look={channels.length === 0 ? 'primary' : 'plain'}
              icon={<Plus size={14} aria-hidden="true" />}
              onClick={() => setEditing(null)}
            >
              Add channel
            </Button>
          )
        }
      />
      {channels.length === 0 ? (
        <EmptyPart>No channels yet.</EmptyPart>
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
      {removing && (
        <Removal
          projectId={projectId}
          name={removing.name}
          remove={() => removeChannel(projectId, removing.id)}
          done="Channel removed"
          onClose={() => setRemoving(undefined)}
        >
          Queued messages are not sent, and its deliveries are removed from the log. This can't be undone.
        </Removal>
      )}
    </section>
  )
}

type ActionsProps = { projectId: string; channel: ChannelView; onChange: () => void; onRemove: () => void }

function ChannelActions({ projectId, channel, onChange, onRemove }: ActionsProps) {
  const test = useMutation({ mutationFn: () => testChannel(projectId, channel.id) })
  const name = plainLine(channel.name)
  return (
    <span className="inline-flex flex-col sm:items-end">
      <Actions name={name} onChange={onChange} onRemove={onRemove}>
        <Button onClick={() => test.mutate()} isBusy={test.isPending} aria-label={`Test ${name}`}>
          Test
        </Button>
      </Actions>
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
