import type { CSSProperties } from 'react'
import type { GatheredFlag } from './gather-flags.ts'

type Flag = Omit<GatheredFlag<unknown>, 'its'>

/** In a box as wide as the chart. A flag fills its room but for a gap, so that it is above the lines of all it stands for. */
export function placeOfFlag({ x, left, width }: Flag, chartWidth: number): CSSProperties {
  const place = left < x ? { right: Math.max(0, chartWidth - left - width) } : { left: Math.max(0, left - 1) }
  return { ...place, minWidth: width - 1 }
}

/** Straight where its line goes on. */
export const cornersOfFlag = ({ x, left }: Flag): string => (left < x ? 'rounded-[4px]' : 'rounded-r-[4px]')
