import { Link } from '@tanstack/react-router'
import { Later } from '../ui/later.tsx'
import { RAIL_PAGES } from './pages.ts'

/** On the left; on a phone at the bottom, where a thumb reaches it. */
export function Rail({ projectId }: { projectId: string }) {
  return (
    <nav
      aria-label="Pages"
      className="flex shrink-0 border-border bg-surface max-sm:justify-around max-sm:border-t sm:w-16 sm:flex-col sm:items-center sm:gap-1 sm:border-r sm:py-2"
    >
      <Later instead={<span className="h-12 sm:hidden" />}>
        <Link
          to="/projects"
          aria-label="All projects"
          title="All projects"
          className="mb-2 rounded-control p-1.5 max-sm:hidden"
        >
          <img src="/assets/mark.svg" alt="" width="24" height="24" />
        </Link>
        {RAIL_PAGES.map(({ to, label, icon: Icon, keys }) => (
          <Link
            key={to}
            to={to}
            params={{ projectId }}
            title={`${label} (${keys})`}
            className="flex h-12 w-14 flex-col items-center justify-center gap-0.5 rounded-control text-tiny text-muted hover:bg-hover hover:text-text max-sm:my-1 max-sm:h-10 max-sm:w-16"
            activeProps={{ className: 'bg-accent-surface !text-accent', 'aria-current': 'page' }}
          >
            <Icon size={17} aria-hidden="true" />
            {label}
          </Link>
        ))}
      </Later>
    </nav>
  )
}
