import type { ReactNode } from 'react'
import { classNames, dimmed } from '../../ui/class-names.ts'
import { BOX_WIDTH, COLUMNS } from './analysis-row.tsx'

/** The box and the heads of the columns, the same around the rows and around their placeholders. */
type FrameProps = { isFaded?: boolean; box?: ReactNode; children: ReactNode }

/** `box`: what chooses all rows, where rows can be chosen, in a `BoxPlace`. */
export function AnalysesFrame({ isFaded = false, box, children }: FrameProps) {
  return (
    <div className={classNames('overflow-hidden rounded-control border border-border bg-surface', dimmed(isFaded))}>
      <div className={classNames('border-b border-border lg:flex', box ? 'flex' : 'hidden')}>
        {box}
        <div
          aria-hidden="true"
          className={classNames(
            'hidden h-8 flex-1 pr-3 text-small text-muted',
            box ? 'pl-[7px]' : 'pl-[13px]',
            COLUMNS,
          )}
        >
          <span>State</span>
          <span>Analysis</span>
          <span>Cause</span>
          <span>Trend</span>
          <span className="text-right" title="In the range of the page">
            Errors
          </span>
          <span className="text-right">Last seen</span>
        </div>
      </div>
      {children}
    </div>
  )
}

/** As wide as the boxes of the rows. */
export function BoxPlace({ children }: { children?: ReactNode }) {
  return (
    <span className={classNames('flex h-8 pointer-coarse:h-control shrink-0 items-center justify-center', BOX_WIDTH)}>
      {children}
    </span>
  )
}
