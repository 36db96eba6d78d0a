/** Where a page lacks something that is set up elsewhere: the way there. */
import { Link } from '@tanstack/react-router'
import { GitBranch } from 'lucide-react'
import type { ReactNode } from 'react'
import { buttonClass } from '../ui/button.tsx'

/** Opens the Start dialog on the page where somebody is. */
export function StartLink({ children, className = buttonClass() }: { children: ReactNode; className?: string }) {
  return (
    <Link to="." search={(before) => ({ ...before, start: 'open' as const })} className={className}>
      {children}
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
