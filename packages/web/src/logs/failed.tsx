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
