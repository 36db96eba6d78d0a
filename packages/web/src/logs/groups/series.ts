/** Groups over time: which lines there are, how high each is in each bucket, and where that is in a chart. No drawing here. */

import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { Measure } from '@tidemark/wire/reading/measure'
import { MAX_MEASURED_SPLIT } from '@tidemark/wire/reading/measure'
import type { PixelLine } from '../../marks/gather-flags.ts'
import { type Tick, ticksOf } from '../../time/ticks.ts'
import { type TimeScale, timeScale } from '../../time/time-scale.ts'
import { isBucketUnfinished } from '../../time/unfinished.ts'
import { deployMarks } from '../histogram/histogram-layout.ts'

export const AXIS_HEIGHT = 16
/** Above the highest, for its number. */
const ROOM_ABOVE = 18

/** `value` is undefined for all others together, null for records without the field. */
export type Series = { value: string | null | undefined; points: (number | null)[] }

export function seriesOf({ groups, otherGroups, buckets }: CountAnswer, measure: Measure): Series[] {
  const shown = groups.slice(0, MAX_MEASURED_SPLIT).map(({ values: [value = null] }) => value)
  const told = shown.map(
    (value): Series => ({
      value,
      points: buckets.map(({ by, measuredBy }) => {
        const found = ownOf(measure === 'count' ? by : (measuredBy ?? {}), value ?? '')
        return found ?? (measure === 'count' || measure === 'distinct' ? 0 : null)
      }),
    }),
  )
  if (groups.length + otherGroups <= shown.length) return told
  const others = buckets.map(({ count, by, measuredOthers }) =>
    measure === 'count'
      ? count - shown.reduce((sum, value) => sum + (ownOf(by, value ?? '') ?? 0), 0)
      : (measuredOthers ?? null),
  )
  return [...told, { value: undefined, points: others }]
}

export type Shape = { series: Series; at: number; areas: Area[]; lines: string[]; dots: Dot[] }
type Area = { x: number; width: number; y: number; height: number }
type Dot = { x: number; y: number }
export type Chart = {
  scale: TimeScale
  top: number
  shapes: Shape[]
  /** Where each bucket is, whole. */
  columns: Column[]
  deployLines: PixelLine[]
  ticks: Tick[]
}

/** `isCut`: a part of it lies outside of the window; `isUnfinished`: it goes on now. */
type Column = { x: number; width: number; timestamp: string; endMs: number; isCut: boolean; isUnfinished: boolean }
type Size = { width: number; height: number }
/** `isOfWhole`: what is drawn is less in a part of a bucket, as a count is, and a percentile is not. */
type Options = Size & { isStacked: boolean; isOfWhole?: boolean }

export function layoutSeries(
  answer: CountAnswer,
  series: readonly Series[],
  { width, height, isStacked, isOfWhole = false }: Options,
): Chart {
  const bucketSeconds = answer.bucketSeconds ?? 1
  const scale = timeScale({ ...answer, bucketSeconds }, width)
  const { fromMs, toMs } = scale
  const toX = (timeMs: number) => Math.min(Math.max(scale.toX(timeMs), 0), width)
  const columns = answer.buckets.map(({ timestamp }) => {
    const startMs = Date.parse(timestamp)
    const x = toX(startMs)
    const endMs = startMs + bucketSeconds * 1_000
    const isUnfinished = isBucketUnfinished(startMs, toMs, bucketSeconds)
    const isCut = endMs > toMs || startMs < fromMs
    return { x, width: toX(endMs) - x, timestamp, endMs: Math.min(endMs, toMs), isCut, isUnfinished }
  })
  const plotHeight = height - AXIS_HEIGHT
  const sums = answer.buckets.map((_, at) => series.reduce((sum, { points }) => sum + (points[at] ?? 0), 0))
  const top =
    Math.max(...(isStacked ? sums : series.flatMap(({ points }) => points.map((point) => point ?? 0))), 0) || 1
  const toHeight = (number: number) => (Math.max(0, number) / top) * (plotHeight - ROOM_ABOVE)
  // A line that falls into a bucket of which there is only a part would say that it ended there.
  const isLeftOut = (at: number) => isOfWhole && columns[at]?.isCut === true && columns.some(({ isCut }) => !isCut)
  const floors = answer.buckets.map(() => plotHeight)
  const shapes = series.map((one, at): Shape => {
    if (!isStacked)
      return {
        series: one,
        at,
        areas: [],
        ...linesOf(
          one.points.map((point, bucket) => (isLeftOut(bucket) ? null : point)),
          columns,
          (n) => plotHeight - toHeight(n),
        ),
      }
    const gap = width / Math.max(1, columns.length) > 4 ? 1 : 0
    const areas = columns.flatMap((column, bucket): Area[] => {
      const tall = toHeight(one.points[bucket] ?? 0)
      if (tall === 0) return []
      floors[bucket] = (floors[bucket] ?? plotHeight) - tall
      return [{ x: column.x, width: Math.max(1, column.width - gap), y: floors[bucket], height: tall }]
    })
    return { series: one, at, areas, lines: [], dots: [] }
  })
  return {
    scale,
    top,
    shapes,
    columns,
    deployLines: deployMarks(answer.deploys, toX, width).lines,
    ticks: ticksOf(fromMs, toMs, toX(toMs)),
  }
}

/** A bucket without a number interrupts the line; one that stands alone is a dot. */
function linesOf(
  points: readonly (number | null)[],
  columns: Chart['columns'],
  toY: (number: number) => number,
): Pick<Shape, 'lines' | 'dots'> {
  const runs: Dot[][] = [[]]
  points.forEach((point, at) => {
    const column = columns[at]
    if (point === null || column === undefined) runs.push([])
    else runs.at(-1)?.push({ x: column.x + column.width / 2, y: toY(point) })
  })
  return {
    lines: runs
      .filter((run) => run.length > 1)
      .map((run) => run.map(({ x, y }) => `${round(x)},${round(y)}`).join(' ')),
    dots: runs.flatMap((run) => (run.length === 1 ? run : [])),
  }
}

function round(pixels: number): number {
  return Math.round(pixels * 10) / 10
}

/** A value may be called `constructor`. */
function ownOf(numbers: Record<string, number>, name: string): number | undefined {
  return Object.hasOwn(numbers, name) ? numbers[name] : undefined
}
