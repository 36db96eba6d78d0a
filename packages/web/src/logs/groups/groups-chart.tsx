import type { CountAnswer } from '@tidemark/wire/reading/count'
import { isOfNumbers } from '@tidemark/wire/reading/measure'
import { type PointerEvent, useMemo, useState } from 'react'
import { DeployLines } from '../../marks/deploy-lines.tsx'
import { formatBarStart } from '../../time/format-time.ts'
import { TimeAxis } from '../../time/time-axis.tsx'
import { UNFINISHED_WORDS, UnfinishedBucket } from '../../time/unfinished-bucket.tsx'
import { classNames } from '../../ui/class-names.ts'
import { usePreferences } from '../../ui/preferences.ts'
import { useWidth } from '../../ui/use-width.ts'
import { groupWords, numberWords } from './group-words.ts'
import { type Grouping, MEASURE_WORDS } from './grouping.ts'
import { AXIS_HEIGHT, type Chart, layoutSeries, type Series, seriesOf } from './series.ts'
import { seriesLook } from './series-look.ts'

export const CHART_HEIGHT = 160
/** A shorter bucket cannot be zoomed into. */
const MIN_ZOOM_MS = 2_000

type ChartProps = {
  answer: CountAnswer
  grouping: Grouping
  /** The group whose row is pointed at: the others step back. Undefined for none. */
  pointed: string | null | undefined
  onZoom: (from: string, to: string) => void
}

/** The largest groups over time and all others together; deploys as lines in their colour. */
export function GroupsChart({ answer, grouping, pointed, onZoom }: ChartProps) {
  const { zone } = usePreferences()
  const [box, width] = useWidth<HTMLDivElement>()
  const [column, setColumn] = useState<number>()
  const { field, measure } = grouping
  const isStacked = grouping.chart === 'stacked'
  const series = useMemo(() => seriesOf(answer, measure), [answer, measure])
  const chart = useMemo(
    () =>
      layoutSeries(answer, series, {
        width: Math.max(width, 1),
        height: CHART_HEIGHT,
        isStacked,
        isOfWhole: !isOfNumbers(measure),
      }),
    [answer, series, width, isStacked, measure],
  )
  const { columns, shapes, deployLines, ticks, scale } = chart
  const shown = column === undefined ? undefined : columns[column]
  const columnAt = (event: PointerEvent<HTMLElement>) => {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left
    const at = columns.findIndex((one) => x >= one.x && x <= one.x + one.width)
    return at < 0 ? undefined : at
  }
  const zoom = () => {
    if (shown && shown.endMs - Date.parse(shown.timestamp) >= MIN_ZOOM_MS) {
      onZoom(shown.timestamp, new Date(shown.endMs).toISOString())
    }
  }
  return (
    <section aria-label="Groups over time" className="relative shrink-0 border-b border-border">
      <div
        ref={box}
        className="relative cursor-crosshair touch-pan-y select-none"
        style={{ height: CHART_HEIGHT }}
        onPointerMove={(event) => setColumn(columnAt(event))}
        onPointerLeave={() => setColumn(undefined)}
        onPointerUp={(event) => event.button === 0 && zoom()}
      >
        <svg width={width} height={CHART_HEIGHT} role="img" aria-label={summary(series, grouping)} className="block">
          <TimeAxis
            {...{ ticks, zone, width, ...scale }}
            lineY={CHART_HEIGHT - AXIS_HEIGHT}
            wordsY={CHART_HEIGHT - 4}
          />
          <UnfinishedBucket x={scale.unfinishedX} width={width} y={0} height={CHART_HEIGHT - AXIS_HEIGHT} />
          {shown && <rect x={shown.x} width={shown.width} height={CHART_HEIGHT - AXIS_HEIGHT} className="fill-hover" />}
          {shapes.map((shape) => {
            const look = seriesLook(field, shape.series.value, shape.at)
            const isBehind = pointed !== undefined && shape.series.value !== pointed
            return (
              <g key={keyOf(shape.series)} opacity={isBehind ? 0.2 : 1}>
                {shape.areas.map((area) => (
                  <rect key={area.x} {...area} className={look.fill} />
                ))}
                {shape.lines.map((points) => (
                  <polyline
                    key={points}
                    points={points}
                    fill="none"
                    strokeWidth={1.5}
                    strokeLinejoin="round"
                    strokeDasharray={look.dash}
                    className={look.stroke}
                  />
                ))}
                {shape.dots.map((dot) => (
                  <circle key={dot.x} cx={dot.x} cy={dot.y} r={2} className={look.fill} />
                ))}
              </g>
            )
          })}
          <DeployLines lines={deployLines} top={0} bottom={CHART_HEIGHT - AXIS_HEIGHT} />
        </svg>
        <span className="pointer-events-none absolute top-0.5 left-0.5 rounded-[2px] bg-surface px-0.5 text-tiny leading-[14px] text-faint tabular-nums">
          {numberWords(chart.top)}
        </span>
      </div>
      {shown && column !== undefined && (
        <Tip
          chart={chart}
          column={column}
          width={width}
          grouping={grouping}
          label={formatBarStart(shown.timestamp, zone, answer.bucketSeconds ?? 60)}
        />
      )}
    </section>
  )
}

type TipProps = { chart: Chart; column: number; width: number; grouping: Grouping; label: string }

function Tip({ chart: { columns, shapes }, column, width, grouping: { field, chart }, label }: TipProps) {
  const { x = 0, width: wide = 0, isUnfinished = false } = columns[column] ?? {}
  const lines = shapes.flatMap((shape) => {
    const point = shape.series.points[column] ?? null
    return point === null || (point === 0 && chart === 'stacked') ? [] : [{ ...shape, point }]
  })
  return (
    <div
      className="float pointer-events-none absolute top-2 z-20 max-w-64 min-w-36 px-2 py-1.5 text-small tabular-nums"
      style={x > width / 2 ? { right: width - x + 6 } : { left: x + wide + 6 }}
    >
      <p className="text-muted">{label}</p>
      {isUnfinished && <p className="text-muted">{UNFINISHED_WORDS}</p>}
      {lines.length === 0 && <p className="text-faint">nothing here</p>}
      {lines.map(({ series, at, point }) => (
        <p key={keyOf(series)} className="flex items-center gap-2">
          <span
            className={classNames('size-2 shrink-0 rounded-[2px]', seriesLook(field, series.value, at).mark)}
            aria-hidden="true"
          />
          <span className="min-w-0 flex-1 truncate">{groupWords(field, series.value)}</span>
          {numberWords(point)}
        </p>
      ))}
    </div>
  )
}

function keyOf({ value }: Series): string {
  return value === undefined ? 'others' : JSON.stringify(value)
}

function summary(series: readonly Series[], { field, measure, of }: Grouping): string {
  const what = measure === 'count' ? 'Records' : `${MEASURE_WORDS[measure]} ${of}`
  const names = series.map(({ value }) => groupWords(field, value)).join(', ')
  return `${what} by ${field} over time: ${names}`
}
