import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'

/** Warns an owner who signed in by the owner link: without a password they are locked out when the session ends. */
export function NoPassword() {
  const { data: session } = useQuery(sessionQuery)
  if (!session || session.person.hasPassword) return null
  return (
    <p className="rounded-control border border-border bg-accent-surface px-3 py-1 text-small">
      You have no password yet, so you cannot sign in again when this session ends.{' '}
      <Link to="/account" className="text-accent underline">
        Set e-mail and password
      </Link>
    </p>
  )
}
