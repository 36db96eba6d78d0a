import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'

/** What went wrong and what to do, where the answer would have been. */
export function Problem({ error, onRetry, children }: { error: Error; onRetry?: () => void; children?: ReactNode }) {
  return (
    <div role="alert" className="flex items-start gap-2 rounded-control border border-bad/40 bg-surface p-3">
      <TriangleAlert size={16} className="mt-px shrink-0 text-bad" aria-hidden="true" />
      <div className="min-w-0 flex-1">
        <p className="[overflow-wrap:anywhere]">{error.message}</p>
        {children}
      </div>
      {onRetry && <Button onClick={onRetry}>Retry</Button>}
    </div>
  )
}
