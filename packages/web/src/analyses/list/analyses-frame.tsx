import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { COLUMNS } from './analysis-row.tsx'

/** The box and the heads of the columns, the same around the rows and around their placeholders. */
export function AnalysesFrame({ isFaded = false, children }: { isFaded?: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        'overflow-hidden rounded-control border border-border bg-surface transition-opacity duration-[120ms]',
        isFaded && 'opacity-60',
      )}
    >
      <div
        aria-hidden="true"
        className={classNames('hidden h-8 border-b border-border pr-3 pl-[13px] text-small text-muted', COLUMNS)}
      >
        <span>State</span>
        <span>Analysis</span>
        <span>Likely cause</span>
        <span>Trend</span>
        <span className="text-right">Errors</span>
        <span className="text-right">Last seen</span>
      </div>
      {children}
    </div>
  )
}
