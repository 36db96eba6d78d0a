import type { ApiKey } from '@tidemark/wire/people/key'
import type { KeyKind } from '@tidemark/wire/people/key-kind'
import { KEY_STATE_WORDS } from '@tidemark/wire/people/key-kind'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { CallsLink } from './calls-link.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'
import { EndKey } from './end-key.tsx'

const TABLE_WORDS: Record<KeyKind, string> = {
  read: 'Keys for reading',
  ingest: 'Keys for sending',
  webhook: 'Keys for deploy webhooks',
}

type KeyListProps = {
  projectId: string
  kind: KeyKind
  title: string
  about: string
  keys: readonly ApiKey[]
}

export function KeyList({ projectId, kind, title, about, keys }: KeyListProps) {
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<ApiKey>()
  return (
    <section aria-labelledby={`${kind}-keys`}>
      <SectionHeading
        title={title}
        id={`${kind}-keys`}
        about={about}
        action={
          <Button
            // One main thing on the page: what most people come for is a key for an agent.
            look={kind === 'read' ? 'primary' : 'plain'}
            icon={<Plus size={14} aria-hidden="true" />}
            onClick={() => setCreating(true)}
            aria-describedby={`${kind}-keys`}
          >
            Create
          </Button>
        }
      />
      {keys.length === 0 ? (
        <EmptyPart>There are no {title.toLowerCase()} yet.</EmptyPart>
      ) : (
        <Table label={TABLE_WORDS[kind]} head={['Name', 'Key', 'State', 'Last used', 'Created', 'Expires', '']}>
          {keys.map((key) => (
            <KeyRow key={key.id} projectId={projectId} apiKey={key} onRevoke={() => setRevoking(key)} />
          ))}
        </Table>
      )}
      {isCreating && <CreateKeyDialog projectId={projectId} kind={kind} onClose={() => setCreating(false)} />}
      {revoking && (
        <EndKey
          projectId={projectId}
          apiKey={revoking}
          title={`Revoke ${revoking.name}?`}
          action="Revoke"
          done="Key revoked"
          onClose={() => setRevoking(undefined)}
        >
          The key that ends in <code className="font-mono text-text">{revoking.lastFour}</code> stops working with the
          next request, and anyone who still uses it gets 401. This can't be undone.
        </EndKey>
      )}
    </section>
  )
}

type KeyRowProps = { projectId: string; apiKey: ApiKey; onRevoke: () => void }

/** With widths, so that the columns of the lists stand under one another. */
function KeyRow({ projectId, apiKey, onRevoke }: KeyRowProps) {
  const { state } = apiKey
  return (
    <Row isFaded={state !== 'active'}>
      <Cell className="font-medium sm:w-[26%] sm:max-w-52 sm:truncate">{apiKey.name}</Cell>
      <Cell className="font-mono text-small sm:w-[9%]">…{apiKey.lastFour}</Cell>
      <Cell className="sm:w-[12%]">
        <Badge tone={state === 'active' ? 'good' : 'neutral'}>{KEY_STATE_WORDS[state]}</Badge>
      </Cell>
      <Cell className="sm:w-[13%]">
        <TimeAgo at={apiKey.lastUsedAt} />
      </Cell>
      <Cell className="sm:w-[13%]">
        <TimeAgo at={apiKey.createdAt} />
      </Cell>
      <Cell className="sm:w-[11%]">
        <TimeAgo at={apiKey.expiresAt} />
      </Cell>
      <Cell className="sm:text-right">
        {(apiKey.kind === 'read' || state === 'active') && (
          <span className="inline-flex gap-1">
            {apiKey.kind === 'read' && <CallsLink projectId={projectId} apiKey={apiKey} />}
            {state === 'active' && (
              <Button look="danger" onClick={onRevoke} aria-label={`Revoke ${apiKey.name}`}>
                Revoke
              </Button>
            )}
          </span>
        )}
      </Cell>
    </Row>
  )
}
