import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ProjectRole } from '@tidemark/wire/people/role'
import type { Repository } from '@tidemark/wire/repository'
import { RefreshCw } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { disconnectRepository, repositoryQuery, syncRepository } from '../../api/repository.ts'
import { plainLine, plainText } from '../../text/plain-text.ts'
import { shortSha } from '../../text/short-sha.ts'
import { TimeAgo } from '../../time/time-ago.tsx'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Confirm } from '../../ui/confirm.tsx'
import { CopyIcon } from '../../ui/copy.tsx'
import { Problem } from '../../ui/problem.tsx'
import { useToast } from '../../ui/toast.tsx'

const STATES: Record<Repository['state'], { tone: Tone; word: string }> = {
  ready: { tone: 'good', word: 'Ready' },
  mirroring: { tone: 'neutral', word: 'Not copied yet' },
  failing: { tone: 'bad', word: 'Failing' },
}

const CREDENTIALS: Record<Repository['credential'], string> = {
  none: 'None (public)',
  token: 'An access token, kept encrypted',
  deploy_key: 'A deploy key, kept encrypted',
}

type StateProps = { projectId: string; repository: Repository; role: ProjectRole; onChange: () => void }

export function RepositoryState({ projectId, repository, role, onChange }: StateProps) {
  const { url, credential, branch, defaultBranch, headSha, state, lastSyncedAt } = repository
  const { copyingSince, failedAt, lastError } = repository
  const { tone, word } = STATES[state]
  return (
    <div className="rounded-control border border-border bg-surface">
      <dl className="grid grid-cols-[112px_minmax(0,1fr)] items-baseline gap-x-4 p-4">
        <Item name="Address">
          <span className="font-mono text-small">{plainLine(url)}</span>
        </Item>
        <Item name="State">
          <Badge tone={tone}>{word}</Badge>
        </Item>
        <Item name="Branch">
          <span className="font-mono text-small">{plainLine(defaultBranch)}</span>
          {branch === null && <span className="text-faint"> (the default of the repository)</span>}
        </Item>
        <Item name="Newest commit">
          {headSha === null ? (
            <span className="text-faint">Not copied yet</span>
          ) : (
            <span className="inline-flex items-center gap-1 font-mono text-small">
              {shortSha(headSha)}
              <CopyIcon text={headSha} label="Copy the whole SHA" className="-my-1" />
            </span>
          )}
        </Item>
        <Item name="Last synced">
          <TimeAgo at={lastSyncedAt} />
        </Item>
        <Item name="Credential">{CREDENTIALS[credential]}</Item>
        {copyingSince !== null && (
          <Item name="Copying">
            Started <TimeAgo at={copyingSince} />
          </Item>
        )}
        {lastError !== null && (
          <Item name="Last error">
            <span className="whitespace-pre-wrap text-bad">{plainText(lastError)}</span>
            {failedAt !== null && (
              <>
                {' '}
                <TimeAgo at={failedAt} />
              </>
            )}
          </Item>
        )}
      </dl>
      {role !== 'viewer' && <Actions projectId={projectId} url={url} isOwner={role === 'owner'} onChange={onChange} />}
    </div>
  )
}

type ActionsProps = { projectId: string; url: string; isOwner: boolean; onChange: () => void }

/** A member may have it read again; what is read, and with which secret, is for owners. */
function Actions({ projectId, url, isOwner, onChange }: ActionsProps) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [isAsking, setAsking] = useState(false)
  const { queryKey } = repositoryQuery(projectId)
  const sync = useMutation({
    mutationFn: () => syncRepository(projectId),
    onSuccess: (answer) => {
      queryClient.setQueryData(queryKey, answer)
      if (answer.repository?.state === 'ready') say('Synced')
    },
  })
  const disconnection = useMutation({
    mutationFn: () => disconnectRepository(projectId),
    onSuccess: async () => {
      setAsking(false)
      queryClient.setQueryData(queryKey, { repository: null })
      await queryClient.invalidateQueries({ queryKey: ['project', projectId, 'described'] })
      say('Repository disconnected')
    },
  })
  return (
    <div className="flex flex-col gap-3 border-t border-border px-4 py-3">
      {sync.error && <Problem error={sync.error} />}
      <div className="flex flex-wrap gap-2">
        <Button icon={<RefreshCw size={14} aria-hidden="true" />} isBusy={sync.isPending} onClick={() => sync.mutate()}>
          Sync now
        </Button>
        {isOwner && (
          <>
            <Button onClick={onChange}>Change</Button>
            <Button look="danger" onClick={() => setAsking(true)} className="ml-auto">
              Disconnect
            </Button>
          </>
        )}
      </div>
      <Confirm
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Disconnect the repository?"
        action="Disconnect"
        isBusy={disconnection.isPending}
        error={disconnection.error}
        onConfirm={() => disconnection.mutate()}
      >
        <p className="font-mono text-small [overflow-wrap:anywhere] text-text">{plainLine(url)}</p>
        <p className="mt-2">
          The copy and the stored credential are deleted, and errors without a recorded deploy are no longer matched to
          a commit. The repository itself is not touched.
        </p>
      </Confirm>
    </div>
  )
}

function Item({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="py-1 text-muted">{name}</dt>
      <dd className="min-w-0 py-1 [overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}
