import { useQuery } from '@tanstack/react-query'
import type { ApiKey } from '@tidemark/wire/people/key'
import { KEY_STATE_WORDS } from '@tidemark/wire/people/key-kind'
import { useState } from 'react'
import { membersQuery } from '../../api/members.ts'
import { plainLine } from '../../text/plain-text.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { EmptyPart } from '../../ui/empty.tsx'
import { Cell, Row, Table } from '../../ui/table.tsx'
import { SectionHeading } from '../section-heading.tsx'
import { CallsLink } from './calls-link.tsx'
import { EndKey } from './end-key.tsx'

/** Read keys that people gave to OAuth clients. They are told apart from those that somebody keeps and copies. */
export function ConnectionList({ projectId, keys }: { projectId: string; keys: readonly ApiKey[] }) {
  const [ending, setEnding] = useState<ApiKey>()
  const { data } = useQuery(membersQuery(projectId))
  const nameOf = (personId: string) => data?.members.find((member) => member.personId === personId)?.name
  return (
    <section aria-labelledby="connections">
      <SectionHeading
        title="Connected agents"
        id="connections"
        about="Agents that somebody signed in with OAuth, such as claude.ai and ChatGPT. Each holds a read key of this project. The name is what the client calls itself, the address is where its key went."
      />
      {keys.length === 0 ? (
        <EmptyPart>No agent is connected with OAuth.</EmptyPart>
      ) : (
        <Table label="Keys of agents" head={['Agent', 'Key', 'Last used', 'Connected', 'Expires', '']}>
          {keys.map((key) => (
            <Row key={key.id} isFaded={key.state !== 'active'}>
              <Cell className="font-medium sm:w-[30%]">
                <Agent apiKey={key} />
              </Cell>
              <Cell className="sm:w-[20%]">
                <span className="block sm:max-w-44 sm:truncate" title={plainLine(key.name)}>
                  {plainLine(key.name)}
                </span>
              </Cell>
              <Cell>
                <TimeAgo at={key.lastUsedAt} />
              </Cell>
              <Cell>
                <span className="block">
                  <TimeAgo at={key.createdAt} />
                  {data && (
                    <span className="block text-small text-muted sm:max-w-36 sm:truncate">
                      by {plainLine(nameOf(key.createdBy) ?? 'a former member')}
                    </span>
                  )}
                </span>
              </Cell>
              <Cell>
                <TimeAgo at={key.expiresAt} />
              </Cell>
              <Cell className="sm:text-right">
                <span className="inline-flex gap-1">
                  <CallsLink projectId={projectId} apiKey={key} />
                  {key.state === 'active' && (
                    <Button
                      look="danger"
                      onClick={() => setEnding(key)}
                      aria-label={`Disconnect ${plainLine(key.name)}`}
                    >
                      Disconnect
                    </Button>
                  )}
                </span>
              </Cell>
            </Row>
          ))}
        </Table>
      )}
      {ending && (
        <EndKey
          projectId={projectId}
          apiKey={ending}
          title={`Disconnect ${plainLine(ending.client?.name ?? ending.name)}?`}
          action="Disconnect"
          done="Agent disconnected"
          onClose={() => setEnding(undefined)}
        >
          Its next request gets 401, on every node. What it has read stays with it. To connect it again somebody has to
          sign in and allow it.
        </EndKey>
      )}
    </section>
  )
}

/** The client's own name is a stranger's text; the host is where the key was sent. */
function Agent({ apiKey: { client, name, state } }: { apiKey: ApiKey }) {
  return (
    <span className="block sm:max-w-64">
      <span className="flex min-w-0 items-center gap-2">
        <span className="min-w-0 sm:truncate">{plainLine(client?.name ?? name)}</span>
        {state !== 'active' && <Badge>{state === 'revoked' ? 'Disconnected' : KEY_STATE_WORDS[state]}</Badge>}
      </span>
      {client && <span className="block text-small font-normal text-muted sm:truncate">at {client.host}</span>}
    </span>
  )
}
