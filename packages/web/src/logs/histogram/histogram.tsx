import { useNavigate } from '@tanstack/react-router'
import { LEVELS } from '@tidemark/wire/level'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import { counted, withCommas } from '@tidemark/wire/text/counted'
import { type PointerEvent, useMemo, useState } from 'react'
import { DeployLines } from '../../marks/deploy-lines.tsx'
import { LEVEL_LOOK } from '../../marks/level-look.ts'
import { shortCount } from '../../text/short-count.ts'
import { formatBar } from '../../time/format-time.ts'
import { TimeAxis } from '../../time/time-axis.tsx'
import { UNFINISHED_WORDS, UnfinishedBucket } from '../../time/unfinished-bucket.tsx'
import { usePreferences } from '../../ui/preferences.ts'
import { useWidth } from '../../ui/use-width.ts'
import type { LogsAddress } from '../logs-address.ts'
import { DeployMarkers } from './deploy-markers.tsx'
import { useHistogramHeight } from './histogram-height.ts'
import { AXIS_HEIGHT, type Bar, CAPTION_HEIGHT, layoutHistogram, onlyErrors, PLOT_TOP } from './histogram-layout.ts'

/** Less than this is a click. */
const DRAG_PX = 5

type HistogramProps = {
  answer: CountAnswer
  /** The window before, where it is shown behind the bars. */
  before: CountAnswer | undefined
  address: LogsAddress
}

export function Histogram({ answer, before, address }: HistogramProps) {
  const isOfErrors = address.search.bars === 'errors'
  const { zone } = usePreferences()
  const [box, width] = useWidth<HTMLDivElement>()
  const height = useHistogramHeight()
  const navigate = useNavigate()
  const [drag, setDrag] = useState<{ start: number; end: number }>()
  const [pointed, setPointed] = useState<Bar>()
  const layout = useMemo(
    () => layoutHistogram(answer, Math.max(width, 1), { height, isOfErrors, before }),
    [answer, width, height, isOfErrors, before],
  )
  const { scale, bars, markers, lines, ticks, top, ghost } = layout
  // A bar of another window is not there to be pointed at.
  const hovered = pointed && bars.includes(pointed) ? pointed : undefined
  const xOf = (event: PointerEvent<HTMLElement>) => event.clientX - event.currentTarget.getBoundingClientRect().left
  const zoom = (from: string, to: string) => address.change({ from, to, live: undefined })
  const barAt = (x: number) => bars.find((bar) => x >= bar.x && x <= bar.x + bar.width + 1)

  const release = () => {
    if (!drag) return
    const [left, right] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)]
    setDrag(undefined)
    setPointed(undefined)
    if (right - left >= DRAG_PX) {
      const [fromMs, toMs] = [scale.momentAt(left), scale.momentAt(right)]
      if (toMs > fromMs) zoom(new Date(fromMs).toISOString(), new Date(toMs).toISOString())
      return
    }
    const bar = barAt(right)
    if (bar && bar.endMs - Date.parse(bar.timestamp) >= 2_000) zoom(bar.timestamp, new Date(bar.endMs).toISOString())
  }

  return (
    <section aria-label="Records over time" className="relative shrink-0 border-b border-border bg-surface">
      <div
        ref={box}
        className="relative cursor-crosshair touch-pan-y select-none"
        style={{ height }}
        onPointerDown={(event) => {
          if (event.button !== 0 || event.target instanceof HTMLButtonElement) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDrag({ start: xOf(event), end: xOf(event) })
        }}
        onPointerMove={(event) => {
          if (drag) setDrag({ ...drag, end: xOf(event) })
          setPointed(event.target instanceof HTMLButtonElement ? undefined : barAt(xOf(event)))
        }}
        onPointerUp={release}
        onPointerCancel={() => setDrag(undefined)}
        onPointerLeave={() => setPointed(undefined)}
      >
        <svg width={width} height={height} role="img" aria-label={summary(answer)} className="block">
          <TimeAxis {...{ ticks, zone, width, ...scale }} lineY={height - AXIS_HEIGHT} wordsY={height - 4} />
          <UnfinishedBucket x={scale.unfinishedX} width={width} y={PLOT_TOP} height={height - PLOT_TOP - AXIS_HEIGHT} />
          {bars.map((bar) => (
            <g key={bar.timestamp} opacity={hovered && hovered !== bar ? 0.65 : 1}>
              {bar.parts.map(({ level, y, height: partHeight }) => (
                <rect
                  key={level}
                  x={bar.x}
                  width={bar.width}
                  y={y}
                  height={partHeight}
                  className={LEVEL_LOOK[level].fill}
                />
              ))}
            </g>
          ))}
          {ghost !== '' && (
            <>
              {/* The dashes have a ground of their own: on red and yellow they would not be seen. */}
              <path d={ghost} fill="none" strokeWidth={3} className="stroke-surface" />
              <path
                data-testid="before"
                d={ghost}
                fill="none"
                strokeWidth={1.5}
                strokeDasharray="3 2"
                className="stroke-text"
              />
            </>
          )}
          <DeployLines lines={lines} top={CAPTION_HEIGHT} bottom={height - AXIS_HEIGHT} />
          {drag && Math.abs(drag.end - drag.start) >= DRAG_PX && (
            <rect
              x={Math.min(drag.start, drag.end)}
              width={Math.abs(drag.end - drag.start)}
              y={PLOT_TOP}
              height={height - PLOT_TOP - AXIS_HEIGHT}
              className="fill-accent/20 stroke-accent"
            />
          )}
        </svg>
        <DeployMarkers
          projectId={address.projectId}
          asked={{ environment: address.filter.environment, ...answer.window }}
          markers={markers}
          width={width}
          onOpen={(marker) => {
            const { projectId } = address
            const [first] = marker.deploys
            const last = marker.deploys.at(-1)
            if (!first || !last) return
            if (first === last) {
              navigate({ to: '/projects/$projectId/deploys/$deployId', params: { projectId, deployId: first.id } })
              return
            }
            const end = new Date(Date.parse(last.timestamp) + 1_000).toISOString()
            navigate({
              to: '/projects/$projectId/deploys',
              params: { projectId },
              search: { from: first.timestamp, to: end },
            })
          }}
        />
      </div>
      <p className="pointer-events-none absolute top-0 left-1 text-tiny leading-[14px] text-faint tabular-nums">
        {[
          bars.length > 0 ? `highest ${shortCount(top)}` : '',
          isOfErrors ? 'errors only' : '',
          ghost === '' ? '' : 'dashed: the previous period',
        ]
          .filter(Boolean)
          .join(', ')}
      </p>
      {hovered && !drag && (
        <BarTip
          bar={hovered}
          width={width}
          label={formatBar(hovered.timestamp, new Date(hovered.endMs).toISOString(), zone, answer.bucketSeconds ?? 60)}
        />
      )}
    </section>
  )
}

function BarTip({ bar, width, label }: { bar: Bar; width: number; label: string }) {
  const isRight = bar.x > width - 200
  return (
    <div
      className="float pointer-events-none absolute z-20 px-2 py-1.5 text-small tabular-nums"
      style={{ top: PLOT_TOP, ...(isRight ? { right: width - bar.x + 6 } : { left: bar.x + bar.width + 6 }) }}
    >
      <p className="text-muted">{label}</p>
      <p className="flex justify-between gap-4 font-medium">
        <span>all</span>
        {withCommas(bar.count)}
      </p>
      {bar.isUnfinished && <p className="text-muted">{UNFINISHED_WORDS}</p>}
      {[...LEVELS].reverse().map((level) => {
        const part = bar.parts.find((one) => one.level === level)
        return (
          part && (
            <p key={level} className="flex justify-between gap-4">
              <span className={LEVEL_LOOK[level].text}>{level}</span>
              {withCommas(part.count)}
            </p>
          )
        )
      })}
    </div>
  )
}

function summary({ total, deploys, buckets }: CountAnswer): string {
  const errors = buckets.reduce((sum, bucket) => sum + onlyErrors(bucket).count, 0)
  const failed = errors === 1 ? '1 of them an error' : `${withCommas(errors)} of them errors`
  return `${counted(total, 'record')}, ${failed}, and ${counted(deploys.length, 'deploy')} over time`
}
