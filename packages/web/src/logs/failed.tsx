import type { ReactNode } from 'react'
import { mayComeBack, RequestError } from '../api/request.ts'
import { Problem } from '../ui/problem.tsx'

type FailedProps = { error: Error; onRetry: () => void; children?: ReactNode }

/** What the service refuses it refuses again. Its own failure may be tried again, as its message says. */
export function Failed({ error, onRetry, children }: FailedProps) {
  const isRefused = error instanceof RequestError && error.status < 500 && !mayComeBack(error)
  return (
    <Problem error={error} {...(isRefused ? {} : { onRetry })}>
      {children}
    </Problem>
  )
}

/** Above rows that were read before: it stays in sight of whoever has scrolled down. */
export function FailedAbove({ isLeft, ...props }: FailedProps & { isLeft: boolean }) {
  return (
    <div className="sticky top-0 z-10 p-3">
      <Failed {...props}>
        {isLeft && <p className="text-small text-muted">Below is what was read before.</p>}
        {props.children}
      </Failed>
    </div>
  )
}
