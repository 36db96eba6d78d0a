import type { CSSProperties } from 'react'
import type { GatheredFlag } from './gather-flags.ts'

type Flag = Omit<GatheredFlag<unknown>, 'its'>

/** In a box as wide as the chart. What is on a flag may be narrower than its room: it ends where the room does if it gave way. */
export function placeOfFlag({ x, left, width }: Flag, chartWidth: number): CSSProperties {
  return left < x ? { right: Math.max(0, chartWidth - left - width) } : { left: Math.max(0, left - 1) }
}

/** Straight where its line goes on. */
export const cornersOfFlag = ({ x, left }: Flag): string => (left < x ? 'rounded-[4px]' : 'rounded-r-[4px]')
