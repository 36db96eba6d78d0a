/** Where the printed owner link leads. The token after `#` is removed from the address as soon as it is read. */
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { signInByOwnerLink } from '../api/session.ts'
import { EntryShell } from '../frame/entry-shell.tsx'
import { Button } from '../ui/button.tsx'
import { Problem } from '../ui/problem.tsx'
import { takeLinkToken, useEnter } from './use-enter.ts'

export function WelcomePage() {
  const [token] = useState(takeLinkToken)
  const enter = useEnter()
  const attempt = useMutation({
    mutationFn: () => signInByOwnerLink(token),
    onSuccess: (session) => enter(session, session.projects.length === 0 ? '/projects' : '/'),
  })
  if (token === '') {
    return (
      <EntryShell title="Open the whole owner link">
        <p className="text-muted">
          The link that the service printed when it started has a token after #, which is missing here. Copy the whole
          line from the terminal, or{' '}
          <Link to="/sign-in" className="text-accent underline">
            sign in
          </Link>
          .
        </p>
      </EntryShell>
    )
  }
  return (
    <EntryShell title="Welcome">
      <p className="text-muted">
        This link makes you the owner of this instance. It works once. You can set an e-mail and a password afterwards.
      </p>
      {attempt.error && (
        <Problem error={attempt.error}>
          <p className="mt-1 text-muted">
            <Link to="/sign-in" className="text-accent underline">
              Sign in with e-mail and password
            </Link>
          </p>
        </Problem>
      )}
      <Button look="primary" isBusy={attempt.isPending} onClick={() => attempt.mutate()}>
        Sign in as the owner
      </Button>
    </EntryShell>
  )
}
