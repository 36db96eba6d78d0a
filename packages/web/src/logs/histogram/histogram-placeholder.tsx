import type { ReactNode } from 'react'
import { useHistogramHeight } from './histogram-height.ts'
import { AXIS_HEIGHT } from './histogram-layout.ts'

/** In percent of the height; uneven, as records come. */
const BARS = Array.from({ length: 60 }, (_, index) => 14 + ((index * 29) % 37))

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
          <div className="flex h-full animate-pulse items-end gap-px">
            {BARS.map((share, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
              <div key={index} className="flex-1 bg-border" style={{ height: `${share}%` }} />
            ))}
          </div>
        )}
      </div>
      {children && <div className="relative">{children}</div>}
    </div>
  )
}
