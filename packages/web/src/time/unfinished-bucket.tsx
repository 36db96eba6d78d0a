import { useId } from 'react'

type UnfinishedProps = {
  /** Where it begins; null where there is none. */
  x: number | null
  /** Of the chart. */
  width: number
  y: number
  height: number
}

/** Hatched behind the bars: here the counting goes on. Otherwise a low bar would read as an end. */
export function UnfinishedBucket({ x, width, y, height }: UnfinishedProps) {
  const id = useId()
  // Before the chart knows its width it is laid out in one pixel.
  if (x === null || x >= width) return null
  return (
    <>
      <pattern id={id} width={5} height={5} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <line y2={5} strokeWidth={2} className="stroke-border" />
      </pattern>
      <rect data-testid="unfinished" x={x} y={y} width={width - x} height={height} fill={`url(#${id})`} />
    </>
  )
}

/** Beside the time of a bar. */
export const UNFINISHED_WORDS = 'incomplete, counting goes on'
