import type { ReactNode } from 'react'
import { useHistogramHeight } from './histogram-height.ts'
import { AXIS_HEIGHT } from './histogram-layout.ts'

const BARS = 60
/** In percent of the place; uneven, as records come, with a little room between the bars. */
const OUTLINE = Array.from({ length: BARS }, (_, bar) => {
  const width = 100 / BARS
  return `M${bar * width} 100v-${14 + ((bar * 29) % 37)}h${width * 0.95}V100z`
}).join('')

/** Holds the place of the histogram: faint bars while it is counted, the bare line where there is nothing to count. */
export function HistogramPlaceholder({ isLoading, children }: { isLoading: boolean; children?: ReactNode }) {
  const height = useHistogramHeight()
  return (
    <div className="relative shrink-0 border-b border-border bg-surface p-2" style={{ height: height + 1 }}>
      <div
        aria-hidden="true"
        className="absolute inset-x-0 top-0 border-b border-border"
        style={{ bottom: AXIS_HEIGHT - 1 }}
      >
        {isLoading && (
          <svg
            aria-hidden="true"
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            className="size-full animate-pulse fill-border"
          >
            <path d={OUTLINE} />
          </svg>
        )}
      </div>
      {children && <div className="relative">{children}</div>}
    </div>
  )
}
