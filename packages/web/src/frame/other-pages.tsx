/** Pages for what is not there, what went wrong, and what is still coming. */
import { type ErrorComponentProps, Link, useParams } from '@tanstack/react-router'
import { buttonClass } from '../ui/button.tsx'
import { Empty } from '../ui/empty.tsx'
import { Problem } from '../ui/problem.tsx'
import { EntryShell } from './entry-shell.tsx'

export function MissingPage() {
  return (
    <EntryShell title="There is nothing at this address">
      <p className="text-muted">It may have been removed, or you may not be a member of its project.</p>
      <Link to="/projects" className={`${buttonClass('primary')} self-start`}>
        Go to your projects
      </Link>
    </EntryShell>
  )
}

/** With the rail and the bar around it, which lead everywhere else. */
export function MissingInProject() {
  const { projectId = '' } = useParams({ strict: false })
  return (
    <main className="min-h-0 flex-1 overflow-y-auto">
      <h1 className="sr-only">Nothing here</h1>
      <Empty title="There is nothing at this address">
        <p>Check the address, or go on from the logs of this project.</p>
        <Link to="/projects/$projectId/logs" params={{ projectId }} className={`${buttonClass('primary')} mt-4`}>
          Go to the logs
        </Link>
      </Empty>
    </main>
  )
}

export function BrokenPage({ error, reset }: ErrorComponentProps) {
  return (
    <main className="mx-auto max-w-[620px] px-4 py-12">
      <Problem error={error instanceof Error ? error : new Error(String(error))} onRetry={reset} />
    </main>
  )
}

export function LoadingPage() {
  return (
    <p role="status" className="p-6 text-muted">
      Loading
    </p>
  )
}
