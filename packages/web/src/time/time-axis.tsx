import type { Zone } from '../ui/preferences.ts'
import { formatTick } from './format-time.ts'
import type { Tick } from './ticks.ts'

type TimeAxisProps = {
  ticks: readonly Tick[]
  zone: Zone
  fromMs: number
  toMs: number
  width: number
  /** Where the bars stand, and the line of the words below them. */
  lineY: number
  wordsY: number
}

/** The line below a chart and its times. */
export function TimeAxis({ ticks, zone, fromMs, toMs, width, lineY, wordsY }: TimeAxisProps) {
  return (
    <>
      <line x1={0} x2={width} y1={lineY + 0.5} y2={lineY + 0.5} className="stroke-border" />
      {ticks.map(({ x, timeMs }) => (
        <text key={timeMs} x={x} y={wordsY} textAnchor="middle" className="fill-faint text-tiny tabular-nums">
          {formatTick(timeMs, zone, toMs - fromMs)}
        </text>
      ))}
    </>
  )
}
