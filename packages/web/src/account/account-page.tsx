import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { SessionAnswer } from '@tidemark/wire/people/account'
import { type FormEvent, useState } from 'react'
import { isToldByField, RequestError } from '../api/request.ts'
import { changeMe, sessionQuery } from '../api/session.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { useToast } from '../ui/toast.tsx'
import { PASSWORD_HINT } from './use-enter.ts'

export function AccountPage() {
  const { data: session } = useQuery(sessionQuery)
  if (!session) return null
  return (
    <EntryShell title="Your account">
      <AccountForm session={session} />
      <p className="border-t border-border pt-3">
        <Link to="/" className="text-accent underline">
          {session.projects.length === 0 ? 'Go to your projects' : 'Go to the overview'}
        </Link>
      </p>
    </EntryShell>
  )
}

function AccountForm({ session: { person, needsCurrentPassword } }: { session: SessionAnswer }) {
  const queryClient = useQueryClient()
  const say = useToast()
  const [email, setEmail] = useState(person.email)
  const [name, setName] = useState(person.name)
  const [password, setPassword] = useState('')
  const [currentPassword, setCurrentPassword] = useState('')
  const change = useMutation({
    mutationFn: () =>
      changeMe({
        email,
        name,
        ...(password === '' ? {} : { password }),
        ...(currentPassword === '' ? {} : { currentPassword }),
      }),
    onSuccess: (session) => {
      queryClient.setQueryData(sessionQuery.queryKey, session)
      setPassword('')
      setCurrentPassword('')
      say('Saved')
    },
  })
  const problem = change.error instanceof RequestError ? change.error : undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    change.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      {!person.hasPassword && (
        <p className="rounded-control bg-accent-surface p-3">
          You came by the owner link and have no password yet. Set one to sign in again later.
        </p>
      )}
      <Field
        label="Name"
        autoComplete="name"
        required
        value={name}
        error={problem?.field('name')}
        onChange={(event) => setName(event.target.value)}
      />
      <Field
        label="E-mail"
        type="email"
        autoComplete="username"
        required
        value={email}
        error={problem?.field('email')}
        onChange={(event) => setEmail(event.target.value)}
      />
      <Field
        label={person.hasPassword ? 'New password' : 'Password'}
        type="password"
        autoComplete="new-password"
        required={!person.hasPassword}
        hint={`${PASSWORD_HINT} ${person.hasPassword ? 'Leave it empty to keep the one you have.' : ''}`}
        value={password}
        error={problem?.field('password')}
        onChange={(event) => setPassword(event.target.value)}
      />
      {needsCurrentPassword && (
        <Field
          label="Current password"
          type="password"
          autoComplete="current-password"
          hint="Needed for a new e-mail or a new password."
          value={currentPassword}
          error={problem?.field('currentPassword')}
          onChange={(event) => setCurrentPassword(event.target.value)}
        />
      )}
      {change.error && !isToldByField(change.error) && <Problem error={change.error} />}
      <Button type="submit" look="primary" isBusy={change.isPending}>
        Save
      </Button>
    </form>
  )
}
