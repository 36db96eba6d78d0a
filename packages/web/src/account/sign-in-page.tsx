import { useMutation } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { signIn } from '../api/session.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { safeNext } from './next-page.ts'
import { useEnter } from './use-enter.ts'

const route = getRouteApi('/sign-in')

export function SignInPage() {
  const { next, ended } = route.useSearch()
  const enter = useEnter()
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const attempt = useMutation({
    mutationFn: () => signIn({ email, password }),
    onSuccess: (session) => enter(session, safeNext(next)),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    attempt.mutate()
  }
  return (
    <EntryShell title="Sign in">
      {ended && (
        <p role="status" className="rounded-control border border-border bg-accent-surface px-3 py-2">
          Your session has ended, or your access was removed. Sign in to continue where you were.
        </p>
      )}
      <form onSubmit={submit} className="flex flex-col gap-3">
        <Field
          label="E-mail"
          type="email"
          autoComplete="username"
          required
          value={email}
          onChange={(event) => setEmail(event.target.value)}
        />
        <Field
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        {attempt.error && <Problem error={attempt.error} />}
        <Button type="submit" look="primary" isBusy={attempt.isPending}>
          Sign in
        </Button>
      </form>
      <p className="border-t border-border pt-3 text-small text-muted">
        The first time, open the owner link that the service printed when it started: it signs you in with one click. No
        password, or forgot it? As the owner, run{' '}
        <code className="font-mono whitespace-nowrap">tidemark owner-link</code> on the server for a new link; as a
        member, ask an owner for a reset link.
      </p>
    </EntryShell>
  )
}
