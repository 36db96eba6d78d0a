import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'

/** An owner who signed in by the owner link is locked out when the session ends. Shown where it cannot be missed. */
export function NoPassword() {
  const { data: session } = useQuery(sessionQuery)
  if (!session || session.person.hasPassword) return null
  return (
    <p className="rounded-control border border-border bg-accent-surface px-3 py-2">
      You have no password yet, so you cannot sign in again when this session ends.{' '}
      <Link to="/account" className="text-accent underline">
        Set e-mail and password
      </Link>
    </p>
  )
}
