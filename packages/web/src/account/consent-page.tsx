/**
 * Where an OAuth client leads a person to: who asks, for which project, and a yes or a no. Nobody is sent back to the
 * client without a click.
 */

import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { MAX_GIVEN_NAME_CHARACTERS } from '@tidemark/wire/limits'
import type { SessionAnswer } from '@tidemark/wire/people/account'
import type { ConsentPreview } from '@tidemark/wire/people/oauth'
import { DEFAULT_GRANT_LIFETIME, type GrantLifetime } from '@tidemark/wire/people/oauth-lifetime'
import { isAtLeast, KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import { type FormEvent, type ReactNode, useState } from 'react'
import { consentPreviewQuery, giveConsent } from '../api/oauth.ts'
import { RequestError } from '../api/request.ts'
import { sessionQuery } from '../api/session.ts'
import { KEY_LIFETIMES } from '../connect/key-lifetimes.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Field, SelectField } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

export function ConsentPage() {
  const [asked] = useState(() => location.search.slice(1))
  const { data: session } = useQuery(sessionQuery)
  const { data: preview, error } = useQuery(consentPreviewQuery(asked))
  if (error) {
    return (
      <EntryShell title="This connection cannot be made">
        <Problem error={error} />
      </EntryShell>
    )
  }
  if (!session || !preview) {
    return (
      <EntryShell title="Connect a program">
        <Skeleton className="h-64" />
      </EntryShell>
    )
  }
  if (preview.problem !== null) return <WrongRequest preview={preview} problem={preview.problem} />
  return (
    <EntryShell title={`Connect ${preview.client.name}?`}>
      <WhoAsks preview={preview} />
      <ConsentForm preview={preview} asked={asked} session={session} />
    </EntryShell>
  )
}

function WhoAsks({ preview: { client } }: { preview: ConsentPreview }) {
  return (
    <>
      <p className="text-muted [overflow-wrap:anywhere]">
        <strong className="font-medium text-text">{client.name}</strong> asks to read the records, deploys and analyses
        of one project over MCP. It can change nothing.
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 rounded-control border border-border p-3">
        <Fact name="Key goes to">
          {client.isLocal ? 'a program on this computer, at ' : ''}
          <span className="font-mono text-small">{client.host}</span>
        </Fact>
        <Fact name="Name">
          {client.documentHost === null ? (
            'it calls itself that; Tidemark cannot verify it'
          ) : (
            <>
              given by <span className="font-mono text-small">{client.documentHost}</span>
            </>
          )}
        </Fact>
      </dl>
      <p className="text-small text-muted">Continue only if you started this yourself and know that address.</p>
    </>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </>
  )
}

type ConsentFormProps = { preview: ConsentPreview; asked: string; session: SessionAnswer }

function ConsentForm({ preview: { client, refuseTo }, asked, session }: ConsentFormProps) {
  const projects = session.projects.filter(({ role }) => isAtLeast(role, KEY_MAKER_ROLE))
  const [projectId, setProjectId] = useState(projects.length === 1 ? (projects[0]?.id ?? '') : '')
  const [name, setName] = useState(client.name)
  const [expiresIn, setExpiresIn] = useState<GrantLifetime>(DEFAULT_GRANT_LIFETIME)
  const consent = useMutation({
    mutationFn: () => giveConsent({ request: asked, projectId, name, expiresIn }),
    onSuccess: ({ returnTo }) => location.assign(returnTo),
  })
  const problem = consent.error instanceof RequestError ? consent.error : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    consent.mutate()
  }
  if (projects.length === 0) return <NoProject refuseTo={refuseTo} mayCreate={session.canCreateProjects} />
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <SelectField
        label="Project"
        required
        options={[
          ...(projects.length === 1 ? [] : [{ value: '', label: 'Choose one' }]),
          ...projects.map((project) => ({ value: project.id, label: project.name })),
        ]}
        value={projectId}
        onChange={(event) => setProjectId(event.target.value)}
      />
      <Field
        label="Name of the key"
        hint="You find it under this name in Settings, API & MCP keys. Revoke it there to end the connection at once."
        required
        maxLength={MAX_GIVEN_NAME_CHARACTERS}
        value={name}
        error={problem?.field('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <SelectField
        label="Expires"
        options={KEY_LIFETIMES}
        value={expiresIn}
        onChange={(event) => setExpiresIn(event.target.value as GrantLifetime)}
      />
      {consent.error && <Problem error={consent.error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={() => location.assign(refuseTo)} disabled={consent.isPending}>
          Cancel
        </Button>
        <Button
          type="submit"
          look="primary"
          isBusy={consent.isPending || consent.isSuccess}
          disabled={projectId === ''}
        >
          Allow reading
        </Button>
      </div>
      <p className="border-t border-border pt-3 text-small text-muted [overflow-wrap:anywhere]">
        You are signed in as {session.person.email}.
      </p>
    </form>
  )
}

function NoProject({ refuseTo, mayCreate }: { refuseTo: string; mayCreate: boolean }) {
  return (
    <>
      <p>
        You have no project in which you can create keys. Ask an owner to make you a member
        {mayCreate && (
          <>
            , or{' '}
            <Link to="/projects" className="text-accent underline">
              create a project
            </Link>
          </>
        )}
        .
      </p>
      <div className="flex justify-end">
        <Button onClick={() => location.assign(refuseTo)}>Cancel</Button>
      </div>
    </>
  )
}

/** The client is known, but its request is wrong: it learns that when the person goes back. */
function WrongRequest({ preview: { client, refuseTo }, problem }: { preview: ConsentPreview; problem: string }) {
  return (
    <EntryShell title={`${client.name} sent a request that is not valid`}>
      <Problem error={new Error(problem)} />
      <p className="text-muted">It was given no access. The makers of that program have to fix this.</p>
      <div className="flex justify-end">
        <Button onClick={() => location.assign(refuseTo)}>Go back to {client.host}</Button>
      </div>
    </EntryShell>
  )
}
