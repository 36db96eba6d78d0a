/** For a member who forgot the password, with a link from an owner. The old password works until the form is sent. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { isToldByField, RequestError } from '../api/request.ts'
import { previewPasswordReset, resetPassword } from '../api/session.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { PASSWORD_HINT, takeLinkToken, useEnter } from './use-enter.ts'

export function ResetPasswordPage() {
  const [token] = useState(takeLinkToken)
  const preview = useQuery({
    queryKey: ['password-reset', token],
    queryFn: () => previewPasswordReset(token),
    enabled: token !== '',
  })
  if (token === '') {
    return (
      <EntryShell title="Open the complete reset link">
        <p className="text-muted">The part of the link after # is missing. Copy the complete link.</p>
      </EntryShell>
    )
  }
  return (
    <EntryShell title="Choose a new password">
      {preview.isPending && <Skeleton className="h-24" />}
      {preview.error && (
        <Problem error={preview.error}>
          <Link to="/sign-in" className="text-accent underline">
            Sign in
          </Link>
        </Problem>
      )}
      {preview.data && <ResetForm token={token} email={preview.data.email} />}
    </EntryShell>
  )
}

function ResetForm({ token, email }: { token: string; email: string }) {
  const enter = useEnter()
  const [password, setPassword] = useState('')
  const reset = useMutation({
    mutationFn: () => resetPassword({ token, password }),
    onSuccess: (answer) => enter(answer),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    reset.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <p className="text-muted [overflow-wrap:anywhere]">
        For <span className="font-medium text-text">{email}</span>. You are signed out everywhere else.
      </p>
      {/* Password managers store the password under this name. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label="New password"
        type="password"
        autoComplete="new-password"
        required
        hint={PASSWORD_HINT}
        value={password}
        error={reset.error instanceof RequestError ? reset.error.field('password') : undefined}
        onChange={(event) => setPassword(event.target.value)}
      />
      {reset.error && !isToldByField(reset.error) && <Problem error={reset.error} />}
      <Button type="submit" look="primary" isBusy={reset.isPending}>
        Set password
      </Button>
    </form>
  )
}
