/** Where the bars and the deploys of a histogram are. No drawing here. */

import { isAlike } from '@tidemark/wire/environment-alike'
import { isErrorLevel, LEVELS, type Level } from '@tidemark/wire/level'
import type { CountAnswer } from '@tidemark/wire/reading/count'
import type { DeployRow } from '@tidemark/wire/reading/row'
import { type GatheredFlag, gatherFlags, linesPerPixel, type PixelLine } from '../../marks/gather-flags.ts'
import { type Tick, ticksOf } from '../../time/ticks.ts'
import { type TimeScale, timeScale } from '../../time/time-scale.ts'
import { isBucketUnfinished } from '../../time/unfinished.ts'

export const HISTOGRAM_HEIGHT = 132
/** Above the bars, for words and under them for the flags of deploys; below them, for the times. */
export const CAPTION_HEIGHT = 14
const FLAGS_HEIGHT = 18
export const PLOT_TOP = CAPTION_HEIGHT + FLAGS_HEIGHT
export const AXIS_HEIGHT = 16
/** Over the highest bar. */
const ROOM_ABOVE = 4
/** A part that is there must be seen. */
const MIN_PART_HEIGHT = 1.5

export type Bar = {
  timestamp: string
  endMs: number
  count: number
  /** The window ends before it does. */
  isUnfinished: boolean
  x: number
  width: number
  parts: { level: Level; count: number; y: number; height: number }[]
}
/** The flag of the deploys at a place. */
export type Marker = Omit<GatheredFlag<unknown>, 'its'> & { deploys: DeployRow[]; isProduction: boolean }
type Layout = {
  scale: TimeScale
  bars: Bar[]
  markers: Marker[]
  lines: PixelLine[]
  ticks: Tick[]
  top: number
  /** The outline of the window before, as a path. Empty where nothing was there, or it is not shown. */
  ghost: string
}

type HistogramOptions = {
  height?: number
  /** Only errors, in a scale of their own: a few among many thousands are seen. */
  isOfErrors?: boolean
  /** The window before, as long as this one. */
  before?: CountAnswer | undefined
}

export function layoutHistogram(answer: CountAnswer, width: number, options: HistogramOptions = {}): Layout {
  const { height = HISTOGRAM_HEIGHT, isOfErrors = false, before } = options
  const plotHeight = height - PLOT_TOP - AXIS_HEIGHT
  const bucketSeconds = answer.bucketSeconds ?? 1
  const scale = timeScale({ ...answer, bucketSeconds }, width)
  const { fromMs, toMs, endMs: axisEndMs, toX } = scale
  const shown = (bucket: Bucket) => (isOfErrors ? onlyErrors(bucket) : bucket)
  const top = Math.max(1, ...[...answer.buckets, ...(before?.buckets ?? [])].map((bucket) => shown(bucket).count))
  const bars = answer.buckets.map(shown).flatMap(({ timestamp, count, by }): Bar[] => {
    if (count === 0) return []
    const startMs = Date.parse(timestamp)
    const endMs = startMs + bucketSeconds * 1_000
    const x = Math.max(0, toX(startMs))
    const gap = width / answer.buckets.length > 4 ? 1 : 0
    const parts = partsOf(by, count, { top, plotHeight })
    const isUnfinished = isBucketUnfinished(startMs, toMs, bucketSeconds)
    const barWidth = Math.max(1, toX(Math.min(endMs, axisEndMs)) - x - gap)
    return [{ timestamp, endMs: Math.min(endMs, toMs), count, isUnfinished, x, width: barWidth, parts }]
  })
  return {
    scale,
    bars,
    ...deployMarks(answer.deploys, toX, width),
    ticks: ticksOf(fromMs, toMs, toX(toMs)),
    top,
    ghost: before ? ghostOf(before, shown, { top, plotHeight, toX, spanMs: toMs - fromMs, width }) : '',
  }
}

type Bucket = CountAnswer['buckets'][number]

export function onlyErrors({ timestamp, by }: Bucket): Bucket {
  const errors = Object.entries(by).filter(([level]) => isErrorLevel(level))
  return { timestamp, count: errors.reduce((sum, [, count]) => sum + count, 0), by: Object.fromEntries(errors) }
}

type GhostScale = Scale & { toX: (timeMs: number) => number; spanMs: number; width: number }

/** Around the bars that stood here one window earlier. Where none stood it is not: along the axis it would say nothing. */
function ghostOf(
  before: CountAnswer,
  shown: (bucket: Bucket) => Bucket,
  { top, plotHeight, toX, spanMs, width }: GhostScale,
): string {
  const bucketMs = (before.bucketSeconds ?? 1) * 1_000
  const floor = PLOT_TOP + plotHeight
  let isUp = false
  const steps = before.buckets.map(shown).map(({ timestamp, count }) => {
    const startMs = Date.parse(timestamp) + spanMs
    const [left, right] = [Math.max(0, toX(startMs)), Math.min(toX(startMs + bucketMs), width)].map(inTenths)
    const wasUp = isUp
    isUp = count > 0
    if (!isUp) return wasUp ? `V${floor}` : ''
    const y = inTenths(floor - Math.max(MIN_PART_HEIGHT, (count / top) * (plotHeight - ROOM_ABOVE)))
    return `${wasUp ? '' : `M${left} ${floor}`}V${y}H${right}`
  })
  return steps.join('') + (isUp ? `V${floor}` : '')
}

const inTenths = (pixels: number): number => Math.round(pixels * 10) / 10

type Scale = { top: number; plotHeight: number }

/** Stacked with what is quiet at the bottom and errors on top. */
function partsOf(by: Record<string, number>, count: number, { top, plotHeight }: Scale): Bar['parts'] {
  const known = LEVELS.map((level) => ({ level, count: by[level] ?? 0 })).filter((part) => part.count > 0)
  const parts = known.length > 0 ? known : [{ level: 'info' as const, count }]
  let y = PLOT_TOP + plotHeight
  return parts.map((part) => {
    const height = Math.max(MIN_PART_HEIGHT, (part.count / top) * (plotHeight - ROOM_ABOVE))
    y -= height
    return { ...part, y, height }
  })
}

type DeployMarks = Pick<Layout, 'markers' | 'lines'>

export function deployMarks(
  deploys: readonly DeployRow[],
  toX: (timeMs: number) => number,
  width: number,
): DeployMarks {
  const hasProduction = deploys.some(isToProduction)
  const placed = deploys
    .toSorted((one, other) => Date.parse(one.timestamp) - Date.parse(other.timestamp))
    .map((deploy) => ({
      x: toX(Date.parse(deploy.timestamp)),
      deploy,
      isStrong: isToProduction(deploy) || (!hasProduction && !isTried(deploy)),
    }))
  return {
    markers: gatherFlags(placed, { width }).map(({ its, ...flag }) => ({
      ...flag,
      deploys: its.map(({ deploy }) => deploy),
      isProduction: its.some(({ isStrong }) => isStrong),
    })),
    lines: linesPerPixel(placed, width),
  }
}

/** Names of environments are free, and what follows the first word says which of several it is: `prod-eu`. */
const firstWord = ({ environment }: DeployRow): string => /[\p{L}\p{N}]+/u.exec(environment)?.[0] ?? ''
const isToProduction = (deploy: DeployRow): boolean => isAlike(firstWord(deploy), 'production')

/** Looks the same whether or not a deploy to production is in view. */
const isTried = (deploy: DeployRow): boolean => TRIED.test(firstWord(deploy))
const TRIED = /^(staging|stage|stg|preview|dev|devel|development|test|testing|qa|uat|sandbox|demo|ci|local)\d*$/i
