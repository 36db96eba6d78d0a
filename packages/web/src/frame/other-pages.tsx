/** Pages for what is not there, what went wrong, and what is still coming. */
import { type ErrorComponentProps, Link } from '@tanstack/react-router'
import { Empty } from '../ui/empty.tsx'
import { Problem } from '../ui/problem.tsx'

export function MissingPage() {
  return (
    <main className="py-12">
      <Empty title="There is nothing at this address">
        <p>
          It may have been removed, or you may not be a member of its project.{' '}
          <Link to="/" className="text-accent underline">
            Go to your logs
          </Link>
        </p>
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
