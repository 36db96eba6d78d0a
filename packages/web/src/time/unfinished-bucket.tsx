import { useId } from 'react'
import { unfinishedFromMs } from './unfinished.ts'

type UnfinishedProps = { fromMs: number; toMs: number; bucketSeconds: number; width: number; y: number; height: number }

/** Hatched behind the bars: here the counting goes on. Otherwise a low bar would read as an end. */
export function UnfinishedBucket({ fromMs, toMs, bucketSeconds, width, y, height }: UnfinishedProps) {
  const id = useId()
  const startMs = unfinishedFromMs(toMs, bucketSeconds)
  if (startMs === null) return null
  const x = (Math.max(0, startMs - fromMs) / Math.max(1, toMs - fromMs)) * width
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
