import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InvitationPreviewAnswer } from '@tidemark/wire/people/member'
import { type FormEvent, useState } from 'react'
import { isToldByField, RequestError } from '../api/request.ts'
import { acceptInvitation, previewInvitation, sessionQuery, signIn } from '../api/session.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PASSWORD_HINT, takeLinkToken, useEnter } from './use-enter.ts'

export function InvitationPage() {
  const [token] = useState(takeLinkToken)
  const preview = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => previewInvitation(token),
    enabled: token !== '',
  })
  if (token === '') {
    return (
      <EntryShell title="Open the whole invitation link">
        <p className="text-muted">The part of the link after # is missing. Copy the whole link that you were given.</p>
      </EntryShell>
    )
  }
  return (
    <EntryShell title={preview.data ? `Join ${preview.data.projectName}` : 'Invitation'}>
      {preview.isPending && <Skeleton className="h-24" />}
      {preview.error && (
        <Problem error={preview.error}>
          <Link to="/sign-in" className="text-accent underline">
            Sign in
          </Link>
        </Problem>
      )}
      {preview.data && <AcceptForm token={token} invitation={preview.data} />}
    </EntryShell>
  )
}

function AcceptForm({ token, invitation }: { token: string; invitation: InvitationPreviewAnswer }) {
  const { email, role, hasAccount } = invitation
  const { data: session } = useQuery(sessionQuery)
  const enter = useEnter()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const isSignedIn = session?.person.email.toLowerCase() === email.toLowerCase()
  const needsPassword = !isSignedIn
  const accept = useMutation({
    mutationFn: async () => {
      if (hasAccount && !isSignedIn) await signIn({ email, password })
      return acceptInvitation(hasAccount ? { token } : { token, name, password })
    },
    onSuccess: (answer) => enter(answer),
  })
  const problem = accept.error instanceof RequestError ? accept.error : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    accept.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted">
        For <span className="font-medium text-text">{email}</span>, as {role === 'owner' ? 'an' : 'a'} {role}.{' '}
        {hasAccount ? 'Sign in to accept.' : 'Choose a name and a password.'}
      </p>
      {!hasAccount && (
        <Field
          label="Name"
          autoComplete="name"
          required
          value={name}
          error={problem?.field('name')}
          onChange={(event) => setName(event.target.value)}
        />
      )}
      {needsPassword && (
        <Field
          label="Password"
          type="password"
          autoComplete={hasAccount ? 'current-password' : 'new-password'}
          required
          hint={hasAccount ? undefined : PASSWORD_HINT}
          value={password}
          error={problem?.field('password')}
          onChange={(event) => setPassword(event.target.value)}
        />
      )}
      {accept.error && !isToldByField(accept.error) && <Problem error={accept.error} />}
      <Button type="submit" look="primary" isBusy={accept.isPending}>
        Join the project
      </Button>
    </form>
  )
}
