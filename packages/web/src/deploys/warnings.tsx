import type { Warning } from '@tidemark/wire/reading/question'
import { TriangleAlert } from 'lucide-react'
import { plainSentence } from '../text/plain-text.ts'
import { Button } from '../ui/button.tsx'

type WarningsProps = { warnings: readonly Warning[]; isBusy: boolean; onAgain: () => void }

/** What the answer lacks, and a button to try again. */
export function Warnings({ warnings, isBusy, onAgain }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <div role="status" className="flex items-center gap-2 rounded-control border border-warn/40 bg-surface p-3">
      <TriangleAlert size={16} className="shrink-0 text-warn" aria-hidden="true" />
      <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {warnings.map(({ message }) => (
          <p key={message}>{plainSentence(message)}</p>
        ))}
      </div>
      <Button onClick={onAgain} isBusy={isBusy}>
        Retry
      </Button>
    </div>
  )
}
