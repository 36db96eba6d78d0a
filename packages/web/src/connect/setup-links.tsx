/** Where a page lacks something that is set up elsewhere: the way there. */
import { Link } from '@tanstack/react-router'
import { isAtLeast, KEY_MAKER_ROLE } from '@tidemark/wire/people/role'
import { GitBranch, KeyRound } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRole } from '../api/roles.ts'
import { buttonClass } from '../ui/button.tsx'

/** Opens the Start dialog on the page where somebody is. */
export function StartLink({ children, className = buttonClass() }: { children: ReactNode; className?: string }) {
  return (
    <Link to="." search={(before) => ({ ...before, start: 'open' as const })} className={className}>
      {children}
    </Link>
  )
}

/** For who may make a key: nobody can send without one. */
export function IngestKeyLink({ projectId }: { projectId: string }) {
  if (!isAtLeast(useRole(projectId), KEY_MAKER_ROLE)) return null
  return (
    <Link to="/projects/$projectId/settings/$section" params={{ projectId, section: 'keys' }} className={buttonClass()}>
      <KeyRound size={14} aria-hidden="true" />
      Create an ingest key
    </Link>
  )
}

export function RepositoryLink({ projectId }: { projectId: string }) {
  return (
    <Link
      to="/projects/$projectId/settings/$section"
      params={{ projectId, section: 'repository' }}
      className={buttonClass()}
    >
      <GitBranch size={14} aria-hidden="true" />
      Connect the repository
    </Link>
  )
}
