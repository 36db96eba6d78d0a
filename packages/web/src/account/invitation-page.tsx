import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { InvitationPreviewAnswer } from '@tidemark/wire/people/member'
import { type FormEvent, useState } from 'react'
import { isToldByField, RequestError } from '../api/request.ts'
import { acceptInvitation, previewInvitation, sessionQuery, signIn, signOut } from '../api/session.ts'
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
  const { data: session, isPending } = useQuery(sessionQuery)
  if (token === '') {
    return (
      <EntryShell title="Open the whole invitation link">
        <p className="text-muted">The part of the link after # is missing. Copy the whole link that you were given.</p>
      </EntryShell>
    )
  }
  return (
    <EntryShell title={preview.data ? `Join ${preview.data.projectName}` : 'Invitation'}>
      {(preview.isPending || isPending) && <Skeleton className="h-24" />}
      {preview.error && (
        <Problem error={preview.error}>
          <Link to="/sign-in" className="text-accent underline">
            Sign in
          </Link>
        </Problem>
      )}
      {preview.data && !isPending && (
        <Invitation token={token} invitation={preview.data} signedInAs={session?.person.email ?? null} />
      )}
    </EntryShell>
  )
}

type InvitationProps = { token: string; invitation: InvitationPreviewAnswer; signedInAs: string | null }

function Invitation({ token, invitation, signedInAs }: InvitationProps) {
  const { email, role, hasAccount } = invitation
  const isInvited = signedInAs?.toLowerCase() === email.toLowerCase()
  // A new account is only made for somebody who is not signed in.
  const mustLeave = signedInAs !== null && !isInvited && !hasAccount
  return (
    <>
      <p className="text-muted [overflow-wrap:anywhere]">
        For <span className="font-medium text-text">{email}</span>, as {role === 'owner' ? 'an' : 'a'} {role}.{' '}
        {nextWords(invitation, isInvited ? email : signedInAs)}
      </p>
      {mustLeave ? <SignOut /> : <AcceptForm token={token} invitation={invitation} isInvited={isInvited} />}
    </>
  )
}

function nextWords({ email, hasAccount }: InvitationPreviewAnswer, signedInAs: string | null): string {
  if (signedInAs === null) return hasAccount ? 'Sign in to accept.' : 'Choose a name and a password.'
  if (signedInAs === email) return 'You are signed in with this e-mail.'
  return hasAccount
    ? `You are signed in as ${signedInAs}. Enter the password of the invited account to accept.`
    : `You are signed in as ${signedInAs}. Sign out to accept with a new account.`
}

function SignOut() {
  const queryClient = useQueryClient()
  const leaving = useMutation({
    mutationFn: signOut,
    onSuccess: () => queryClient.setQueryData(sessionQuery.queryKey, null),
  })
  return (
    <>
      {leaving.error && <Problem error={leaving.error} />}
      <Button look="primary" isBusy={leaving.isPending} onClick={() => leaving.mutate()}>
        Sign out
      </Button>
    </>
  )
}

type AcceptFormProps = { token: string; invitation: InvitationPreviewAnswer; isInvited: boolean }

/** `isInvited`: the invited person is signed in. */
function AcceptForm({ token, invitation: { email, hasAccount }, isInvited }: AcceptFormProps) {
  const enter = useEnter()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const accept = useMutation({
    mutationFn: async () => {
      if (hasAccount && !isInvited) await signIn({ email, password })
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
      {!isInvited && (
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
